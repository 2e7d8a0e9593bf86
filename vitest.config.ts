import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Processes that tests start need time on a busy machine; a test that hangs must still end. */
const withProcesses = { testTimeout: 60_000, hookTimeout: 60_000 };

/** Suites whose answers must not depend on who speaks HTTP/2. `test/support/transport-limits.ts` reads the variable. */
function onGrpcJs(name: string, include: string[]) {
  return { test: { name: `${name}-grpc-js`, include, ...withProcesses, env: { GRPC_TRANSPORT: 'grpc-js' } } };
}

/** These take all the processors there are, so they run when everything else has ended. */
function alone(groupOrder: number) {
  return { groupOrder };
}

export default defineConfig({
  test: {
    reporters: ['default', './test/support/result-reporter.ts'],
    // Files share nothing: ports are free ones, folders temporary. Many of them only wait for other processes, so there
    // may be more of them than processors.
    maxWorkers: availableParallelism() + 2,
    // Envoy ends with the thread that started it; a process has its main thread to the end.
    pool: 'forks',
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'src/**/*.test.ts',
            'scripts/**/*.test.ts',
            'test/{property,golden,scenarios,case,support,bench}/**/*.test.ts',
          ],
          testTimeout: 60_000,
        },
      },
      { test: { name: 'integration', include: ['test/integration/**/*.test.ts'], ...withProcesses } },
      { test: { name: 'clients', include: ['test/clients/**/*.test.ts'], ...withProcesses } },
      {
        test: {
          name: 'fuzz',
          include: ['test/fuzz/**/*.test.ts'],
          ...withProcesses,
          testTimeout: 600_000,
          sequence: alone(1),
        },
      },
      {
        test: {
          name: 'attacks',
          include: ['test/attacks/**/*.test.ts'],
          ...withProcesses,
          sequence: alone(2),
        },
      },
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          ...withProcesses,
          testTimeout: 300_000,
          sequence: alone(3),
        },
      },
      {
        test: {
          name: 'conformance',
          include: ['test/conformance/*.test.ts'],
          exclude: ['test/conformance/go-*.test.ts'],
          ...withProcesses,
        },
      },
      { test: { name: 'conformance-go', include: ['test/conformance/go-*.test.ts'], ...withProcesses } },
      { test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], ...withProcesses } },
      onGrpcJs('conformance', ['test/conformance/{memory,redis,redis-cluster}.test.ts']),
      onGrpcJs('conformance-go', ['test/conformance/go-{memory,redis,redis-cluster}.test.ts']),
      onGrpcJs('e2e', ['test/e2e/**/*.test.ts']),
      onGrpcJs('server', ['test/integration/server/**/*.test.ts']),
      {
        test: {
          name: 'faults-grpc-js',
          include: ['test/faults/**/*.test.ts'],
          ...withProcesses,
          testTimeout: 300_000,
          sequence: alone(4),
          // Those in which it matters who speaks HTTP/2. `GRPC_TRANSPORT=grpc-js npm run test:faults` makes all of them.
          env: { GRPC_TRANSPORT: 'grpc-js', FAULTS: '^(D|P|X|F01|F05)' },
        },
      },
    ],
  },
});
