import { describe, expect, it } from 'vitest';
import { preface, settings } from '../../../test/support/http2-frames.ts';
import { headers, TestSession } from '../../../test/support/http2-session.ts';

const ourSettings = 'SETTINGS 3=1024 4=1048576 5=16384 6=16384';
const ourWindow = `WINDOW_UPDATE 0 +${5_242_880 - 65_535}`;

function ungreeted(): TestSession {
  return new TestSession({ greet: false });
}

function octetByOctet(text: string): Buffer[] {
  return [...Buffer.from(text, 'latin1')].map((octet) => Buffer.of(octet));
}

/** Feeds all of it, and gives what was answered as text. */
function answerTo(session: TestSession, parts: readonly Buffer[]): string {
  for (const part of parts) session.session.feed(part, session.now);
  return session.writtenOctets().toString('latin1');
}

describe('the preface', () => {
  it('is answered with SETTINGS and the connection window, not only after a request', () => {
    expect(ungreeted().feed(preface)).toEqual([ourSettings, ourWindow]);
  });

  it('may come octet by octet, and is answered once', () => {
    const session = ungreeted();
    const words = octetByOctet(preface.toString('latin1')).flatMap((octet) => session.feed(octet));
    expect(words).toEqual([ourSettings, ourWindow]);
    expect(session.feed(settings())).toEqual(['SETTINGS ack']);
    expect(session.session.isEstablished).toBe(true);
  });

  it('may be cut anywhere, in front of its SETTINGS', () => {
    const octets = Buffer.concat([preface, settings()]);
    for (let at = 1; at < octets.length; at++) {
      const session = ungreeted();
      const words = [...session.feed(octets.subarray(0, at)), ...session.feed(octets.subarray(at))];
      expect(words, `cut at ${at}`).toEqual([ourSettings, ourWindow, 'SETTINGS ack']);
    }
  });

  it('SETTINGS that are sent before it came are not sent again', () => {
    const session = ungreeted();
    session.session.greet();
    expect(session.written()).toEqual([ourSettings, ourWindow]);
    session.session.greet();
    expect(session.feed(preface, settings())).toEqual(['SETTINGS ack']);
  });
});

describe('a client of HTTP/1', () => {
  const requests = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'].map(
    (method) => [method, `${method} /json HTTP/1.1\r\nHost: weir\r\n\r\n`] as const,
  );

  it.each(requests)('%s: is answered in HTTP/1', (_, request) => {
    const session = ungreeted();
    const answer = answerTo(session, [Buffer.from(request)]);
    expect(answer).toMatch(/^HTTP\/1\.1 400 [^\r]*\r\n(?:[a-z-]+: [^\r]*\r\n)*connection: close\r\n/);
    const [, head = '', body = ''] = /^(.*?\r\n)\r\n(.*)$/s.exec(answer) ?? [];
    expect(head).toContain(`content-length: ${body.length}\r\n`);
    expect(body).toMatch(/^[^\n]+\n$/);
    expect(session.session.state).toBe('ended');
    expect(session.faults).toEqual(['no-http2']);
  });

  it.each(requests)('%s: also when it comes octet by octet', (_, request) => {
    const session = ungreeted();
    expect(answerTo(session, octetByOctet(request))).toMatch(/^HTTP\/1\.1 400 .*[^\n]\n$/s);
    expect(session.faults).toEqual(['no-http2']);
  });

  it('is told in HTTP/2 when SETTINGS are out already', () => {
    const session = ungreeted();
    session.session.greet();
    session.written();
    expect(session.feed(Buffer.from('GET / HTTP/1.1\r\n\r\n'))).toEqual(['GOAWAY 0 PROTOCOL_ERROR no-http2']);
  });
});

describe('anything else', () => {
  it.each([
    ['a method that is none', 'GETX / HTTP/1.1\r\n'],
    ['a method in lower case', 'get / HTTP/1.1\r\n'],
    ['a method without a blank', 'OPTIONS/ HTTP/1.1'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc'],
    ['another preface', 'PRI * HTTP/1.1\r\n\r\n'],
    ['a preface with another end', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r '],
    ['zeros', '\0'.repeat(24)],
  ])('%s: is told so in HTTP/2', (_, text) => {
    for (const parts of [[Buffer.from(text, 'latin1')], octetByOctet(text)]) {
      const session = ungreeted();
      const words = parts.flatMap((part) => session.feed(part));
      expect(words.filter((line) => /^(GOAWAY|HTTP)/.test(line))).toEqual([
        'GOAWAY 0 PROTOCOL_ERROR no-http2',
      ]);
      expect(session.faults).toEqual(['no-http2']);
      expect(session.session.state).toBe('ended');
    }
  });

  it('fewer than eight octets are waited for', () => {
    const session = ungreeted();
    expect(session.feed(Buffer.from('DELETE'))).toEqual([]);
    expect(session.session.state).toBe('open');
    expect(answerTo(session, [Buffer.from(' ')])).toMatch(/^HTTP\/1\.1 400 /);
  });
});

it('the first frame after the preface is SETTINGS', () => {
  const session = ungreeted();
  session.feed(preface);
  expect(session.feed(headers(1), settings())).toEqual(['GOAWAY 0 PROTOCOL_ERROR protocol']);
  expect(session.session.isEstablished).toBe(false);
});
