import { expect, it } from 'vitest';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { describeEachPort, itGaveUpNoConnection } from './describe-each-port.ts';
import { answersOf, type Outcome } from './grpc-outcomes.ts';
import { grpcGo, grpcio, runGrpcProgram } from './grpc-programs.ts';
import { nthAnswers } from './requests.ts';

const calls = 2_000;

// grpc-js loses calls to either transport: as a server it ends connections without asking first, and as a client it may
// begin a call as GOAWAY comes, and then gives it up.
const options = { transports: ['native'], env: { GRPC_MAX_CONNECTION_AGE: '50ms' } } as const;

describeEachPort([], options, (port) => {
  for (const program of [grpcGo, grpcio]) {
    describeWithTools(program.tools, program.library, () => {
      it('no call is lost between connections, and none is counted twice', async () => {
        const before = await port().metric('weir_grpc_connections_total');
        const outcomes = (await runGrpcProgram(port(), program, ['--steady', String(calls)])) as Outcome[];
        expect(answersOf(outcomes)).toEqual(nthAnswers(calls));
        expect((await port().metric('weir_grpc_connections_total')) - before).toBeGreaterThan(1);
      });
    });
  }
  itGaveUpNoConnection(port);
});
