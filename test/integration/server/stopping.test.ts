import http2 from 'node:http2';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Answer } from '../../../src/domain/decision.ts';
import { createGrpcClient, shouldRateLimit } from '../../support/grpc-client.ts';
import { httpCall } from '../../support/http-call.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { allow, neverAnswers, startGrpcEdge, startHttpEdge } from './start-edges.ts';

const request = { domain: 'edge', descriptors: [{ entries: [{ key: 'k', value: 'v' }] }] };
const body = JSON.stringify(request);

/** A limiter whose answer comes when the test says so. */
function answersWhenTold() {
  const waiting: (() => void)[] = [];
  const decide = (asked: Parameters<typeof allow>[0]) =>
    new Promise<Answer>((resolve) => waiting.push(() => resolve(allow(asked))));
  return { decide, waiting };
}

describe('stopping the gRPC server', () => {
  it('lets calls end, and takes no new connection meanwhile', async () => {
    const { decide, waiting } = answersWhenTold();
    const edge = await startGrpcEdge(decide);
    const client = createGrpcClient(edge.address);
    onTestFinished(() => client.close());
    const answer = client.call(shouldRateLimit, request);
    await waitUntil('the call to arrive', () => waiting.length === 1);

    const stopped = edge.server.stop(20_000);
    const late = createGrpcClient(edge.address, { timeoutMs: 20_000 });
    onTestFinished(() => late.close());
    await expect(late.call(shouldRateLimit, request)).resolves.toMatchObject({ status: 'UNAVAILABLE' });
    for (const tell of waiting) tell();
    await expect(answer).resolves.toMatchObject({ response: { overallCode: 'OK' } });
    await expect(stopped).resolves.toBe('drained');
  });

  it('cuts what is left at the deadline', async () => {
    const edge = await startGrpcEdge(neverAnswers);
    const client = createGrpcClient(edge.address);
    onTestFinished(() => client.close());
    const answer = client.call(shouldRateLimit, request);
    await waitUntil('the call to arrive', () => edge.requests.length === 1);
    await expect(edge.server.stop(50)).resolves.toBe('forced');
    await expect(answer).resolves.toMatchObject({
      status: expect.stringMatching(/^(UNAVAILABLE|CANCELLED)$/),
    });
  });

  it('ends at once when nobody is connected', async () => {
    const edge = await startGrpcEdge();
    await expect(edge.server.stop(20_000)).resolves.toBe('drained');
  });
});

describe('the age of connections', () => {
  it('an old connection gets GOAWAY without an error, ends its call, and is closed', async () => {
    const { decide, waiting } = answersWhenTold();
    const edge = await startGrpcEdge(decide, { maxConnectionAgeMs: 1_000, maxConnectionAgeGraceMs: 20_000 });
    const session = http2.connect(`http://${edge.address}`);
    onTestFinished(() => session.destroy());
    const codes: number[] = [];
    session.on('goaway', (code) => codes.push(code));
    const call = session.request({
      ':method': 'POST',
      ':path': shouldRateLimit.path,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    call.end(Buffer.from('\0\0\0\0\x03\x0a\x01d', 'latin1'));
    const status = new Promise((resolve) =>
      call.once('trailers', (headers) => resolve(headers['grpc-status'])),
    );
    call.resume();

    await waitUntil('GOAWAY', () => codes.length > 0);
    expect(session.destroyed).toBe(false);
    for (const tell of waiting) tell();
    await expect(status).resolves.toBe('0');
    await waitUntil('the end of the connection', () => session.destroyed);
    expect(codes.every((code) => code === http2.constants.NGHTTP2_NO_ERROR)).toBe(true);
  });

  it('after the grace a call that does not end is cut', async () => {
    const edge = await startGrpcEdge(neverAnswers, { maxConnectionAgeMs: 50, maxConnectionAgeGraceMs: 50 });
    const client = createGrpcClient(edge.address);
    onTestFinished(() => client.close());
    await expect(client.call(shouldRateLimit, request)).resolves.toMatchObject({
      status: expect.stringMatching(/^(UNAVAILABLE|CANCELLED|INTERNAL)$/),
    });
  });
});

describe('stopping the HTTP server', () => {
  it('lets requests end', async () => {
    const { decide, waiting } = answersWhenTold();
    const edge = await startHttpEdge(decide);
    const answer = httpCall({ address: edge.address, path: '/json', method: 'POST', body });
    await waitUntil('the request to arrive', () => waiting.length === 1);
    const stopped = edge.listener.stop(20_000);
    for (const tell of waiting) tell();
    await expect(answer).resolves.toMatchObject({ status: 200 });
    await stopped;
    await expect(httpCall({ address: edge.address, path: '/livez' })).rejects.toThrow('ECONNREFUSED');
  });

  it('cuts what is left at the deadline', async () => {
    const edge = await startHttpEdge(neverAnswers);
    const answer = httpCall({ address: edge.address, path: '/json', method: 'POST', body });
    const outcome = answer.then(
      () => 'answered',
      () => 'cut',
    );
    await waitUntil('the request to arrive', () => edge.requests.length === 1);
    await edge.listener.stop(50);
    await expect(outcome).resolves.toBe('cut');
  });
});
