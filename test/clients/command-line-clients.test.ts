import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGrpcClient, shouldRateLimit } from '../support/grpc-client.ts';
import { requireTool } from '../support/tools.ts';
import { describeEachPort, itGaveUpNoConnection, type Port, type PortKind } from './describe-each-port.ts';
import { answersIn, asCounted, framed, nthAnswer, nthAnswers, requestOf } from './requests.ts';
import { outputOf } from './run-program.ts';

/** Room for the 25 kB that `nghttp --continuation` adds. */
const env = { GRPC_MAX_HEADER_LIST_SIZE: '65536' };

const notGrpc = 'This port speaks gRPC: content-type application/grpc.\n';

const callHeaders = ['-H', 'content-type: application/grpc', '-H', 'te: trailers'];

describeEachPort(['curl', 'nghttp', 'h2load'], { env }, (port, kind) => {
  describe('curl', () => curlSuite(port, kind));
  describe('nghttp', () => nghttpSuite(port));
  describe('h2load', () => h2loadSuite(port));
  itGaveUpNoConnection(port);
  // grpc-js sends frames of HTTP/2 to such clients.
  if (kind.transport === 'native') describe('curl without HTTP/2', () => http1Suite(port, kind));
});

/** @returns the header lists of the answer, trailers among them, and its body */
async function curl({ caFile, url, folder }: Port, ...args: string[]): Promise<[string, Buffer]> {
  const body = join(folder, 'curl-body');
  writeFileSync(body, ''); // it makes none where there is nothing to write
  const authority = caFile === undefined ? [] : ['--cacert', caFile];
  const output = ['--silent', '--show-error', '--dump-header', '-', '--output', body];
  const all = [...authority, ...output, ...args, `${url}${shouldRateLimit.path}`];
  const headers = await outputOf(requireTool('curl'), all);
  return [headers.toString(), readFileSync(body)];
}

function curlSuite(port: () => Port, { transport, isTls }: PortKind): void {
  const http2 = isTls ? '--http2' : '--http2-prior-knowledge';

  it('a call', async () => {
    const data = `@${callFile(port(), 'curl')}`;
    const [headers, body] = await curl(port(), http2, '--data-binary', data, ...callHeaders);
    expect(headers).toMatch(/^HTTP\/2 200 \r\n/);
    expect(headers).toMatch(/\r\ncontent-type: application\/grpc(\+proto)?\r\n/);
    expect(headers).toMatch(/\r\n\r\ngrpc-status: 0\r\n/);
    expect(answersIn(body)).toEqual([nthAnswer(1)]);
  });

  it('GET gets 415', async () => {
    const [headers, body] = await curl(port(), http2);
    expect(headers).toMatch(/^HTTP\/2 415 \r\n/);
    expect(body.toString()).toBe(transport === 'native' ? notGrpc : '');
  });

  // grpc-js may reset the stream before its answer is out, as it does not wait for the end of the request.
  if (transport === 'grpc-js') return;
  it('POST of JSON gets 415', async () => {
    const json = ['--data', '{}', '--header', 'content-type: application/json'];
    const [headers, body] = await curl(port(), http2, ...json);
    expect(headers).toMatch(/^HTTP\/2 415 \r\n/);
    expect(body.toString()).toBe(notGrpc);
  });
}

function http1Suite(port: () => Port, { isTls }: PortKind): void {
  const plain: [string, string[]][] = [
    ['HTTP/1.1', ['--http1.1']],
    ['an upgrade to HTTP/2', ['--http2']],
  ];
  // One that names its protocol gets no connection: there is none in common to say it in.
  const overTls: [string, string[]][] = [['HTTP/1.1 without ALPN', ['--http1.1', '--no-alpn']]];
  it.each(isTls ? overTls : plain)('%s gets 400', async (_what, args) => {
    const [headers, body] = await curl(port(), ...args);
    expect(headers).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
    expect(body.toString()).toBe('This port speaks gRPC, over HTTP/2.\n');
  });
}

function nghttpSuite(port: () => Port): void {
  async function nghttp(caller: string, ...args: string[]): Promise<Buffer> {
    const all = ['--no-verify-peer', '--data', callFile(port(), caller), ...callHeaders, ...args];
    return await outputOf(requireTool('nghttp'), [...all, `${port().url}${shouldRateLimit.path}`]);
  }

  it.each([
    ['nothing special', []],
    ['padding', ['--padding=255']],
    ['a header list of several frames', ['--continuation']],
    ['10 kB in one field', ['--header', `x-long: ${'0123456789'.repeat(1_000)}`]],
    [
      'a hundred fields',
      Array.from({ length: 100 }, (_, index) => ['--header', `x-${index}: ${index}`]).flat(),
    ],
    ['trailers', ['--trailer', 'x-end: 1']],
    ['no content-length', ['--no-content-length']],
    ['no header table for answers', ['--header-table-size=0']],
    ['a small header table for answers', ['--header-table-size=256']],
    ['a header table that shrinks and grows', ['4K', '0', '8K'].map((size) => `--header-table-size=${size}`)],
    ['no header table for requests', ['--encoder-header-table-size=0']],
    ['weights', ['--weight=256']],
    ['no priorities', ['--no-dep']],
    ['priorities that are switched off', ['--no-rfc7540-pri']],
    ['windows of one octet', ['--window-bits=1', '--connection-window-bits=1']],
  ])('%s', async (what, options) => {
    expect(answersIn(await nghttp(what, ...options))).toEqual([nthAnswer(1)]);
    const log = (await nghttp(what, '--verbose', '--null-out', ...options)).toString();
    expect(log).toMatch(/recv \(stream_id=\d+\) grpc-status: 0\n/);
    expect(log).not.toMatch(/recv (RST_STREAM|GOAWAY)/);
  });

  it.each([
    ['twenty calls at once', []],
    ['twenty calls one after another', ['--peer-max-concurrent-streams=1']],
  ])('%s', async (what, options) => {
    const answers = answersIn(await nghttp(what, '--multiply=20', ...options));
    expect(asCounted(answers)).toEqual(nthAnswers(20));
  });
}

function h2loadSuite(port: () => Port): void {
  it.each([
    ['four connections of fifty streams', 4_000, ['--clients=4', '--max-concurrent-streams=50']],
    ['no header tables', 500, ['--header-table-size=0', '--encoder-header-table-size=0']],
  ])('%s, each call counted once', async (what, count, options) => {
    const { address, channelCredentials, url } = port();
    const all = [`--requests=${count}`, `--data=${callFile(port(), what)}`, ...callHeaders, ...options];
    const report = await outputOf(requireTool('h2load'), [...all, `${url}${shouldRateLimit.path}`]);
    expect(report.toString()).toContain(`${count} succeeded, 0 failed, 0 errored, 0 timeout`);
    // It does not look at the answers: but the next one tells how many there were.
    const client = createGrpcClient(address, { channelCredentials });
    onTestFinished(() => client.close());
    const answer = await client.callRaw(shouldRateLimit, requestOf(what));
    expect(answer).toEqual({ response: nthAnswer(count + 1) });
  });
}

/** A file with the call of a caller. */
function callFile(port: Port, caller: string): string {
  const file = join(port.folder, `${caller.replaceAll(' ', '-')}.call`);
  writeFileSync(file, framed(requestOf(caller)));
  return file;
}
