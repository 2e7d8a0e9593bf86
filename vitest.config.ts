import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Processes that tests start need time on a busy machine; a test that hangs must still end. */
const withProcesses = { testTimeout: 60_000, hookTimeout: 60_000 };

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
          testTimeout: 20_000,
        },
      },
      { test: { name: 'integration', include: ['test/integration/**/*.test.ts'], ...withProcesses } },
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
    ],
  },
});
