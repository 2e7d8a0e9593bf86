import { describe, expect, it } from 'vitest';
import { answerWith, okMessage, type ReceivedCall, startAnsweringServer } from './answering-server.ts';
import { LoadRun } from './load.ts';
import { closedPace } from './pace.ts';
import { prepareCalls } from './prepared-calls.ts';

const answerOk = (call: ReceivedCall) => answerWith(call, okMessage);

async function openLoad(port: number): Promise<LoadRun> {
  const calls = prepareCalls({ keys: 1, descriptors: 1, isWithTimeout: true });
  const load = new LoadRun({
    ...{ host: '127.0.0.1', port, connections: 1, streams: 6, calls, nextKey: () => 0 },
  });
  await load.connected();
  return load;
}

const oneHundred = () => closedPace({ calls: 100, seconds: Number.POSITIVE_INFINITY });

describe('a lane of the load', () => {
  it('goes on over a new connection when the server asks it to leave', async () => {
    await using server = await startAnsweringServer((call) => {
      answerOk(call);
      if (call.stream.id === 41) call.session.close();
    });
    const load = await openLoad(server.port);
    const tally = await load.run(oneHundred());
    load.close();
    expect(tally).toMatchObject({ calls: 100, failed: 0 });
    expect(load.opened).toBeGreaterThan(2);
  });

  it('sends the calls again that the server has refused with its GOAWAY', async () => {
    const lastStream = 5;
    let refusing: object | undefined;
    await using server = await startAnsweringServer((call) => {
      if (refusing === undefined) {
        refusing = call.session;
        call.session.goaway(0, lastStream);
      }
      if (call.session !== refusing || Number(call.stream.id) <= lastStream) answerOk(call);
    });
    const load = await openLoad(server.port);
    const tally = await load.run(oneHundred());
    load.close();
    expect(tally).toMatchObject({ calls: 100, failed: 0 });
    expect(load.opened).toBe(2);
  });

  it('answers the pings of the server', async () => {
    const pinged = Promise.withResolvers<Error | null>();
    await using server = await startAnsweringServer((call) => {
      if (call.stream.id === 1) call.session.ping((error) => pinged.resolve(error));
      answerOk(call);
    });
    const load = await openLoad(server.port);
    await load.run(oneHundred());
    expect(await pinged.promise).toBeNull();
    load.close();
  });

  it('ends the load when the server finds fault with the connection', async () => {
    const enhanceYourCalm = 11;
    await using server = await startAnsweringServer(({ session }) => session.goaway(enhanceYourCalm));
    const load = await openLoad(server.port);
    await expect(load.run(oneHundred())).rejects.toThrow('GOAWAY with error 11');
  });

  it('ends the load when the server hangs up, or is not there', async () => {
    const server = await startAnsweringServer(({ session }) => session.destroy());
    const load = await openLoad(server.port);
    await expect(load.run(oneHundred())).rejects.toThrow();
    await server[Symbol.asyncDispose]();
    await expect(openLoad(server.port)).rejects.toThrow('ECONNREFUSED');
  });
});
