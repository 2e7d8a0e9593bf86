import http2 from 'node:http2';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FailureCode } from '../../../src/domain/decision.ts';
import { createGrpcClient, type GrpcClientOptions, shouldRateLimit } from '../../support/grpc-client.ts';
import { transportLimits } from '../../support/transport-limits.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { headerOf, openCall, resetAsEnvoy, trailerOf } from './http2-calls.ts';
import { allow, type Edge, startGrpcEdge } from './start-edges.ts';

/** A caller of ShouldRateLimit with a codec of its own. */
function clientOf({ address }: Edge, options: GrpcClientOptions = {}) {
  const client = createGrpcClient(address, options);
  onTestFinished(() => client.close());
  return {
    call: (request: object) => client.call(shouldRateLimit, request as Record<string, unknown>),
    callRaw: (octets: Buffer) => client.callRaw(shouldRateLimit, octets),
  };
}

const request = { domain: 'edge', descriptors: [{ entries: [{ key: 'user', value: 'u1' }] }] };

describe('ShouldRateLimit over gRPC', () => {
  it('asks the limiter what the caller asked, and answers what it decided', async () => {
    const edge = await startGrpcEdge(async (asked) =>
      allow(asked, {
        overallCode: 'OVER_LIMIT',
        responseHeaders: [{ name: 'Retry-After', value: '37' }],
        dynamicMetadata: { domain: 'edge' },
        denialBody: { contentType: 'text/plain', text: 'wait' },
      }),
    );
    const answer = await clientOf(edge).call({
      domain: 'edge',
      hitsAddend: 3,
      descriptors: [
        {
          entries: [{ key: 'user', value: 'ü' }, { key: 'path' }],
          limit: { requestsPerUnit: 9, unit: 'DAY' },
        },
        {
          entries: [{ key: 'k', value: 'v' }],
          hitsAddend: { value: '18446744073709551615' },
          isNegativeHits: true,
        },
        { entries: [{ key: 'k', value: 'v' }], hitsAddend: {} },
      ],
    });

    expect(edge.requests.map(({ request }) => request)).toEqual([
      {
        domain: 'edge',
        hitsAddend: 3,
        descriptors: [
          {
            entries: [
              { key: 'user', value: '\xc3\xbc' },
              { key: 'path', value: '' },
            ],
            limit: { requestsPerUnit: 9, unit: 'DAY' },
            hitsAddend: undefined,
            isNegativeHits: false,
          },
          {
            entries: [{ key: 'k', value: 'v' }],
            limit: undefined,
            hitsAddend: 2 ** 64,
            isNegativeHits: true,
          },
          { entries: [{ key: 'k', value: 'v' }], limit: undefined, hitsAddend: 0, isNegativeHits: false },
        ],
      },
    ]);
    const status = {
      code: 'OK',
      currentLimit: { requestsPerUnit: 5, unit: 'MINUTE', name: 'five' },
      limitRemaining: 4,
      durationUntilReset: { seconds: '37' },
    };
    expect(answer).toMatchObject({
      response: {
        overallCode: 'OVER_LIMIT',
        statuses: [status, status, status],
        responseHeadersToAdd: [
          { key: 'Retry-After', value: '37' },
          { key: 'content-type', value: 'text/plain' },
        ],
        rawBody: Buffer.from('wait').toString('base64'),
        dynamicMetadata: { fields: { domain: { stringValue: 'edge' } } },
      },
    });
  });

  it('text that is not UTF-8 arrives as its octets', async () => {
    const edge = await startGrpcEdge();
    const entry = Buffer.from([0x0a, 0x01, 0x6b, 0x12, 0x02, 0xff, 0xfe]);
    const octets = Buffer.concat([Buffer.from([0x12, 0x09, 0x0a, 0x07]), entry]);
    await expect(clientOf(edge).callRaw(octets)).resolves.toMatchObject({ response: { overallCode: 'OK' } });
    expect(edge.requests[0]?.request.descriptors[0]?.entries).toEqual([{ key: 'k', value: '\xff\xfe' }]);
  });

  it.each([
    ['UNKNOWN', 0],
    ['an undefined number', 99],
  ])('X01: a limit whose unit is %s reaches the limiter without a unit', async (_what, unit) => {
    const edge = await startGrpcEdge(async () => ({
      kind: 'failure',
      code: 'INVALID_ARGUMENT',
      message: 'no unit',
    }));
    const descriptors = [{ entries: [{ key: 'ip', value: '1' }], limit: { requestsPerUnit: 5, unit } }];
    await expect(clientOf(edge).call({ domain: 'edge', descriptors })).resolves.toEqual({
      status: 'INVALID_ARGUMENT',
      message: 'no unit',
    });
    expect(edge.requests[0]?.request.descriptors[0]?.limit).toEqual({ requestsPerUnit: 5, unit: undefined });
  });
});

describe('a call without an answer', () => {
  it.each([
    ['INVALID_ARGUMENT'],
    ['UNAVAILABLE'],
    ['DEADLINE_EXCEEDED'],
    ['RESOURCE_EXHAUSTED'],
  ] as FailureCode[][])('%s is the gRPC status of that name', async (code) => {
    const edge = await startGrpcEdge(async () => ({
      kind: 'failure',
      code: code as FailureCode,
      message: 'ä\ud83d',
    }));
    await expect(clientOf(edge).call(request)).resolves.toEqual({ status: code, message: 'ä\ufffd' });
    expect(edge.calls).toMatchObject([{ protocol: 'grpc', method: 'ShouldRateLimit', code }]);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('secret of the inside'))],
    [
      'throws',
      () => {
        throw new Error('secret of the inside');
      },
    ],
  ])(
    'a limiter that %s: INTERNAL with a fixed text, the rest in the log, and the service lives',
    async (_what, decide) => {
      const edge = await startGrpcEdge(decide);
      const client = clientOf(edge);
      await expect(client.call(request)).resolves.toEqual({ status: 'INTERNAL', message: 'internal error' });
      await expect(client.call(request)).resolves.toMatchObject({ status: 'INTERNAL' });
      expect(edge.calls.map(({ code }) => code)).toEqual(['INTERNAL', 'INTERNAL']);
      expect(edge.lines).toMatchObject([
        { level: 'error', err: { message: 'secret of the inside' }, suppressed: 0 },
      ]);
    },
  );

  it('octets that are no message: INVALID_ARGUMENT, and the limiter is not asked', async () => {
    const edge = await startGrpcEdge();
    await expect(clientOf(edge).callRaw(Buffer.from([0x0a, 0x05, 0x61]))).resolves.toEqual({
      status: 'INVALID_ARGUMENT',
      message: "malformed RateLimitRequest: octet 1 of the message can't be read",
    });
    expect(edge.requests).toEqual([]);
    expect(edge.refusals).toEqual(['INVALID_ARGUMENT']);
  });

  it.each([
    [
      'descriptors',
      Buffer.alloc(4_194_000, '\x12\0'),
      'the request has more descriptors than the 1024 allowed',
    ],
    [
      'entries',
      // One descriptor of 4,194,000 octets.
      Buffer.concat([Buffer.from([0x12, 0xd0, 0xfd, 0xff, 0x01]), Buffer.alloc(4_194_000, '\x0a\0')]),
      'descriptor 0 has more entries than the 256 allowed',
    ],
  ])(
    'a message of nearly 4 MiB full of %s: INVALID_ARGUMENT, and the limiter is not asked',
    async (_what, octets, message) => {
      const edge = await startGrpcEdge();
      await expect(clientOf(edge).callRaw(octets)).resolves.toEqual({ status: 'INVALID_ARGUMENT', message });
      expect(edge.requests).toEqual([]);
      expect(edge.refusals).toEqual(['INVALID_ARGUMENT']);
    },
  );

  it('a message above the limit: RESOURCE_EXHAUSTED; at the limit it is read', async () => {
    const edge = await startGrpcEdge(undefined, { limits: transportLimits({ maxMessageBytes: 1000 }) });
    const client = clientOf(edge);
    const sized = (length: number) => Buffer.from(`\x0a\xe5\x07${'d'.repeat(length - 3)}`, 'latin1');
    await expect(client.callRaw(sized(1000))).resolves.toMatchObject({ response: { overallCode: 'OK' } });
    await expect(client.callRaw(sized(1001))).resolves.toMatchObject({ status: 'RESOURCE_EXHAUSTED' });
    await expect(client.call(request)).resolves.toMatchObject({ response: { overallCode: 'OK' } });
  });

  it('a method that does not exist: UNIMPLEMENTED', async () => {
    const edge = await startGrpcEdge();
    const client = createGrpcClient(edge.address);
    onTestFinished(() => client.close());
    const method = { ...shouldRateLimit, path: '/envoy.service.ratelimit.v3.RateLimitService/Nothing' };
    await expect(client.call(method, {})).resolves.toMatchObject({ status: 'UNIMPLEMENTED' });
  });
});

describe('the caller’s deadline', () => {
  it('reaches the limiter by its clock', async () => {
    const edge = await startGrpcEdge();
    const before = performance.now();
    await clientOf(edge, { timeoutMs: 60_000 }).call(request);
    const [asked] = edge.requests;
    expect(asked?.deadline).toBeGreaterThan(before + 30_000);
    expect(asked?.deadline).toBeLessThanOrEqual(performance.now() + 60_000);
  });

  it('is undefined when there is none', async () => {
    const edge = await startGrpcEdge();
    await clientOf(edge, { timeoutMs: Number.POSITIVE_INFINITY }).call(request);
    expect(edge.requests[0]?.deadline).toBeUndefined();
  });

  it('ends a call that gets no answer, and a late answer harms nobody', async () => {
    let answerLate = () => {};
    const late = new Promise<void>((resolve) => {
      answerLate = resolve;
    });
    const edge = await startGrpcEdge(async (asked) => {
      if (asked.domain === 'slow') await late;
      return allow(asked);
    });
    const session = http2.connect(`http://${edge.address}`);
    onTestFinished(() => session.destroy());
    const slow = openCall(session, '\x0a\x04slow', { 'grpc-timeout': '50m' });
    await expect(headerOf(slow, 'grpc-status')).resolves.toBe('4');
    expect(edge.requests).toHaveLength(1);
    answerLate();
    await waitUntil('the late answer', () => edge.calls.length === 1);
    await expect(clientOf(edge).call(request)).resolves.toMatchObject({ response: { overallCode: 'OK' } });
    expect(edge.lines).toEqual([]);
  });
});

describe('callers that leave', () => {
  it('thousands of resets at once, as when a store is slow, cost neither the connection nor a line in the log', async () => {
    const late: (() => void)[] = [];
    const edge = await startGrpcEdge((asked) => {
      if (asked.domain !== 'slow') return Promise.resolve(allow(asked));
      return new Promise((resolve) => late.push(() => resolve(allow(asked))));
    });
    const session = http2.connect(`http://${edge.address}`);
    onTestFinished(() => session.destroy());
    const goaways: number[] = [];
    session.on('goaway', (code) => goaways.push(code));
    session.on('error', () => {});

    for (let round = 1; round <= 4; round++) {
      const streams = Array.from({ length: 1000 }, () => openCall(session, '\x0a\x04slow'));
      await waitUntil('the calls to arrive', () => edge.requests.length === round * 1000);
      await Promise.all(streams.map(resetAsEnvoy));
      // Their places are taken as long as there is work for them, which the store's deadline bounds.
      for (const answer of late.splice(0)) answer();
    }
    const answered = openCall(session, '\x0a\x04fast');
    await expect(trailerOf(answered, 'grpc-status')).resolves.toBe('0');
    expect(goaways).toEqual([]);
    expect(edge.lines).toEqual([]);
  });
});
