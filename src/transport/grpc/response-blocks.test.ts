import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TestSession, wholeCall } from '../../../test/support/http2-session.ts';
import { type GrpcCode, grpcCodes, grpcStatus } from '../grpc-status.ts';
import { okTrailers, percentEncoded, responseHead, trailers, trailersOnly } from './response-blocks.ts';

describe('header blocks of responses', () => {
  it('are the shortest that need no table', () => {
    expect(responseHead.toString('latin1')).toBe('\x88\x0f\x10\x10application/grpc');
    expect(okTrailers.toString('latin1')).toBe('\x00\x0bgrpc-status\x010');
    expect(trailersOnly(grpcStatus('INTERNAL', 'no')).toString('latin1')).toBe(
      '\x88\x0f\x10\x10application/grpc\x00\x0bgrpc-status\x0213\x00\x0cgrpc-message\x02no',
    );
  });

  it.each(Object.entries(grpcCodes))('%s has the number %i', (code, number) => {
    expect(trailers(grpcStatus(code as GrpcCode, '')).toString('latin1')).toBe(
      `\x00\x0bgrpc-status${String.fromCharCode(String(number).length)}${number}`,
    );
  });

  it('have a message only where there is something to say', () => {
    const session = new TestSession({ answer: (call) => call.fail(grpcStatus('NOT_FOUND', '')) });
    expect(session.feed(wholeCall(1))).toEqual([
      'HEADERS 1 :status=200 content-type=application/grpc grpc-status=5, end',
    ]);
  });

  it('say what failed, percent-encoded', () => {
    const session = new TestSession({ answer: (call) => call.fail(grpcStatus('NOT_FOUND', '100 % "ü"\n')) });
    session.feed(wholeCall(1));
    expect(session.response(1).last).toEqual({
      ':status': '200',
      'content-type': 'application/grpc',
      'grpc-status': '5',
      'grpc-message': '100 %25 "%C3%BC"%0A',
    });
  });
});

describe('grpc-message', () => {
  it.each([
    ['plain text', 'a ~!"#$&z', 'a ~!"#$&z'],
    ['the percent sign', '50%', '50%25'],
    ['controls', '\0\t\r\n\x1f', '%00%09%0D%0A%1F'],
    ['DEL', '\x7f', '%7F'],
    ['UTF-8', 'é€😀', '%C3%A9%E2%82%AC%F0%9F%98%80'],
    ['half a character', '\ud83d', '%EF%BF%BD'],
  ])('%s', (_, text, encoded) => {
    expect(percentEncoded(text)).toBe(encoded);
  });

  it.each([
    ['plain text', 'x'.repeat(1_024), 1_024],
    ['plain text that is longer', 'x'.repeat(1_025), 1_024],
    ['escapes that just fit', `x${'%'.repeat(341)}`, 1_024],
    ['an escape that does not fit', `xx${'%'.repeat(341)}`, 1_022],
    ['an escape at the end that does not fit', `${'x'.repeat(1_023)}%`, 1_023],
  ])('is at most 1 KiB: %s', (_, text, length) => {
    const encoded = percentEncoded(text);
    expect(encoded).toHaveLength(length);
    expect(encoded).toMatch(/^(?:[ -$&-~]|%[0-9A-F]{2})*$/);
  });

  it('can be decoded, whatever it says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        const encoded = percentEncoded(text);
        expect(encoded).toMatch(/^(?:[ -$&-~]|%[0-9A-F]{2})*$/);
        expect(decodeURIComponent(encoded)).toBe(text.toWellFormed());
      }),
    );
  });
});
