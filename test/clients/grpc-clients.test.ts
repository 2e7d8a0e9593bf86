import { fileURLToPath } from 'node:url';
import { loadSync, type ServiceDefinition } from '@grpc/proto-loader';
import { beforeAll, expect, it } from 'vitest';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { checkHealth, type UnaryMethod } from '../support/grpc-client.ts';
import { describeEachPort, itGaveUpNoConnection, type Port } from './describe-each-port.ts';
import { answeredFor, answersOf, decoded, type Outcomes } from './grpc-outcomes.ts';
import { type GrpcProgram, grpcGo, grpcio, grpcJs, runGrpcProgram, writeMessage } from './grpc-programs.ts';
import { nthAnswers } from './requests.ts';

const serving = { status: 'SERVING' };
const reflectionProto = loadSync('grpc/reflection/v1/reflection.proto', {
  includeDirs: [fileURLToPath(new URL('../../proto/', import.meta.url))],
});
const reflection = reflectionProto['grpc.reflection.v1.ServerReflection'] as ServiceDefinition;
const reflect = reflection['ServerReflectionInfo'] as UnaryMethod;

describeEachPort([], {}, (port) => {
  for (const program of [grpcJs, grpcGo, grpcio]) {
    describeWithTools(program.tools, program.library, () => suiteOf(port, program));
  }
  itGaveUpNoConnection(port);
});

function suiteOf(port: () => Port, program: GrpcProgram): void {
  let outcomes: Outcomes;
  let connections = 0;

  beforeAll(async () => {
    const before = await port().metric('weir_grpc_connections_total');
    const large = writeMessage(port(), program.library + 'x'.repeat(1024 * 1024));
    outcomes = (await runGrpcProgram(port(), program, ['--large', large])) as Outcomes;
    connections = (await port().metric('weir_grpc_connections_total')) - before;
  });

  it('a unary call', () => {
    expect(decoded(outcomes.unary)).toEqual(answeredFor(1));
  });

  it('a compressed request', () => {
    expect(decoded(outcomes.gzip)).toEqual(answeredFor(2));
  });

  it('10 kB of metadata, some of it octets', () => {
    expect(decoded(outcomes.metadata)).toEqual(answeredFor(3));
  });

  it('a request of 1 MiB, as it is and compressed', () => {
    expect(decoded(outcomes.large)).toEqual(answeredFor(1));
    expect(decoded(outcomes['large-gzip'])).toEqual(answeredFor(2));
  });

  it('requests that are too large', () => {
    const refused = { status: 'RESOURCE_EXHAUSTED', answers: [] };
    expect(outcomes['too-large'].map((outcome) => decoded(outcome))).toEqual(Array(10).fill(refused));
  });

  it('a method that is not known', () => {
    expect(decoded(outcomes['unknown-method'])).toEqual({ status: 'UNIMPLEMENTED', answers: [] });
    expect(outcomes['unknown-method'].text).toContain(
      '/envoy.service.ratelimit.v3.RateLimitService/NoSuchMethod',
    );
  });

  it('Health.Check', () => {
    expect(decoded(outcomes.check, checkHealth)).toEqual({ status: 'OK', answers: [serving] });
  });

  it('Health.Watch, cancelled', () => {
    expect(decoded(outcomes.cancelled, checkHealth)).toEqual({ status: 'CANCELLED', answers: [serving] });
  });

  it('Health.Watch, up to its deadline', () => {
    const timedOut = { status: 'DEADLINE_EXCEEDED', answers: [serving] };
    expect(decoded(outcomes['timed-out'], checkHealth)).toEqual(timedOut);
  });

  it('a call without a request, up to its deadline', () => {
    const timedOut = { status: 'DEADLINE_EXCEEDED', answers: [] };
    expect(decoded(outcomes['request-without-end'])).toEqual(timedOut);
  });

  it('reflection, two questions on one call', () => {
    const names = [
      'envoy.service.ratelimit.v3.RateLimitService',
      'grpc.health.v1.Health',
      'grpc.reflection.v1.ServerReflection',
      'grpc.reflection.v1alpha.ServerReflection',
    ];
    const listed = expect.objectContaining({
      listServicesResponse: { service: names.map((name) => ({ name })) },
    });
    expect(decoded(outcomes.reflection, reflect)).toEqual({ status: 'OK', answers: [listed, listed] });
  });

  it('200 calls at once, each counted once', () => {
    // Three calls came before.
    expect(answersOf(outcomes.concurrent)).toEqual(nthAnswers(203).slice(3));
  });

  it('all on as few connections as it can be', () => {
    expect(decoded(outcomes.last)).toEqual(answeredFor(3));
    expect(connections).toBe(program.connections);
  });
}
