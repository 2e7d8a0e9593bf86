import { describe, expect, it } from 'vitest';
import { octetsOf } from '../../domain/octets.ts';
import { readCheck } from './check-reader.ts';

type Entries = readonly (readonly [key: string, value: string])[];

function read(query: string, fields: Readonly<Record<string, string | readonly string[]>> = {}) {
  const rawHeaders = Object.entries(fields).flatMap(([name, values]) =>
    (typeof values === 'string' ? [values] : values).flatMap((value) => [name, value]),
  );
  return readCheck({ url: `/check${query}`, rawHeaders });
}

/** A check of the domain `d`. */
function asking(...descriptors: Entries[]) {
  return {
    kind: 'check',
    request: {
      domain: 'd',
      descriptors: descriptors.map((entries) => ({
        entries: entries.map(([key, value]) => ({ key, value })),
        limit: undefined,
        hitsAddend: undefined,
        isNegativeHits: false,
      })),
      hitsAddend: 0,
    },
    denyStatus: 429,
  };
}

describe('a query', () => {
  it.each<[string, Entries[]]>([
    ['descriptor=ip=1.2.3.4', [[['ip', '1.2.3.4']]]],
    [
      'descriptor=ip=1.2.3.4,path=/a&descriptor=user=7',
      [
        [
          ['ip', '1.2.3.4'],
          ['path', '/a'],
        ],
        [['user', '7']],
      ],
    ],
    ['descriptor=user=', [[['user', '']]]],
    ['descriptor=a=b=c', [[['a', 'b=c']]]],
    ['descriptor=user=ann@example.com', [[['user', 'ann@example.com']]]],
    ['&&descriptor=ip=1&', [[['ip', '1']]]],
    // The signs between are looked for first: an encoded one is text.
    ['descriptor=user=a%2Cb%3Dc%26d%25e%40f%5Cg%2B', [[['user', 'a,b=c&d%e@f\\g+']]]],
    ['descriptor=a%2Cb%3Dc%40d=x', [[['a,b=c@d', 'x']]]],
    ['descriptor=user=a+b%20c', [[['user', 'a b c']]]],
    ['descriptor=user=%FF%00%c3%a9', [[['user', '\xff\0\xc3\xa9']]]],
    ['descriptor=user=\xff', [[['user', '\xff']]]],
    ['descriptor=user=%', [[['user', '%']]]],
    ['descriptor=user=%zz%4', [[['user', '%zz%4']]]],
    [
      'descriptor=user=\\,role=x',
      [
        [
          ['user', '\\'],
          ['role', 'x'],
        ],
      ],
    ],
  ])('%s', (query, descriptors) => {
    expect(read(`?domain=d&${query}`)).toEqual(asking(...descriptors));
  });

  it('has a domain of any octets', () => {
    expect(read('?domain=%C3%A9%2C&descriptor=a=b')).toMatchObject({ request: { domain: octetsOf('é,') } });
  });

  it.each([
    ['', 0],
    ['&hits=0', 0],
    ['&hits=7', 7],
    ['&hits=4294967295', 4_294_967_295],
  ])('hits: "%s"', (query, hitsAddend) => {
    expect(read(`?domain=d&descriptor=a=b${query}`)).toMatchObject({ request: { hitsAddend } });
  });

  it.each([400, 403, 429, 599])('deny=%i', (denyStatus) => {
    expect(read(`?domain=d&descriptor=a=b&deny=${denyStatus}`)).toMatchObject({ denyStatus });
  });
});

describe('headers', () => {
  const domain = { 'X-RateLimit-Domain': 'd' };

  it('say it where the query has neither domain nor descriptor; with + as itself', () => {
    const fields = { ...domain, 'X-RateLimit-Descriptor': ['ip=1,path=/a', 'user=a+b%2C\xff'] };
    const ip: Entries = [
      ['ip', '1'],
      ['path', '/a'],
    ];
    expect(read('', fields)).toEqual(asking(ip, [['user', 'a+b,\xff']]));
    expect(read('?deny=403', fields)).toMatchObject({ kind: 'check', denyStatus: 403 });
  });

  it('add nothing to a query that has either: a client can send them as well', () => {
    const fields = { 'X-RateLimit-Domain': 'other', 'X-RateLimit-Descriptor': 'free=1' };
    expect(read('?domain=d&descriptor=a=b', fields)).toEqual(asking([['a', 'b']]));
    expect(read('?domain=d', fields)).toEqual(asking());
    expect(read('?descriptor=a=b', fields)).toMatchObject({ request: { domain: '' } });
  });
});

describe('a value that a header has', () => {
  it.each([
    ['as it is, whatever is in it', 'a,b=c&d%20+\\@\xff'],
    ['empty', ''],
  ])('%s', (_what, value) => {
    const expected = asking([
      ['route', 'login'],
      ['user', value],
    ]);
    const descriptor = 'route=login,user@x-user-id';
    expect(read(`?domain=d&descriptor=${descriptor}`, { 'X-User-ID': value })).toEqual(expected);
    const fields = { 'x-ratelimit-domain': 'd', 'x-ratelimit-descriptor': descriptor, 'x-user-id': value };
    expect(read('', fields)).toEqual(expected);
  });

  it('is that of the first field of the name, as in Envoy', () => {
    expect(read('?domain=d&descriptor=user@x-user', { 'x-user': ['a', 'b'] })).toEqual(
      asking([['user', 'a']]),
    );
  });

  it('leaves its descriptor out where the header is missing, and with the last of them there is nothing to ask', () => {
    expect(read('?domain=d&descriptor=a=b,user@x-user&descriptor=c=d')).toEqual(asking([['c', 'd']]));
    expect(read('?domain=d&descriptor=a=b,user@x-user')).toEqual({ kind: 'nothing' });
    // Without a domain nothing would ever be asked, so that one is not forgiven.
    expect(read('?descriptor=user@x-user')).toMatchObject({ kind: 'check', request: { domain: '' } });
  });
});

describe('what is refused, since a gateway asks the same of every request', () => {
  const spaces =
    'a key begins and ends without a space; write %20 if that is meant, and give each descriptor a field of its own';
  const signs = 'each entry is key=value or key@header, and only what is between these signs is encoded';

  it.each([
    ['?domain=d&descriptor=ip', `descriptor 0: ${signs}`],
    ['?domain=d&descriptor=', `descriptor 0: ${signs}`],
    ['?domain=d&descriptor', `descriptor 0: ${signs}`],
    // As a library writes it that encodes the text as a whole.
    ['?domain=d&descriptor=a=b&descriptor=ip%3D1.2.3.4%2Cpath%3D%2Fa', `descriptor 1: ${signs}`],
    ['?domain=d&descriptor=a=b,', `descriptor 0: ${signs}`],
    ['?domain=d&descriptor=user@', 'descriptor 0: the name of a header follows @'],
    ['?domain=d&descriptor=a=b, c=d', `descriptor 0: ${spaces}`],
    ['?domain=d&descriptor=a\t=b', `descriptor 0: ${spaces}`],
    ['?domain=d&descriptor=user@x user', 'descriptor 0: the name of a header follows @'],
    ['?domain=d&descriptors=a=b', 'the query may have domain, descriptor, hits, deny, and no other'],
    ['?domain=d&Domain=d', 'the query may have domain, descriptor, hits, deny, and no other'],
    ['?domain=d&domain=e', 'the domain may be given once'],
    ['?hits=1&hits=1', 'hits may be given once'],
    ['?deny=403&deny=403', 'deny may be given once'],
    ...['', '-1', '1.5', '1e3', '4294967296', ' 1', '00000000001'].map((hits) => [
      `?hits=${hits}`,
      'hits must be a whole number from 0 to 4294967295',
    ]),
    ...['', '200', '302', '399', '600', '40x'].map((deny) => [
      `?deny=${deny}`,
      'deny must be a status from 400 to 599',
    ]),
  ])('%s', (query, message) => {
    expect(read(query as string)).toEqual({ kind: 'failure', code: 'INVALID_ARGUMENT', message });
  });

  it('a domain in two headers', () => {
    expect(read('', { 'x-ratelimit-domain': ['a', 'b'] })).toMatchObject({
      message: 'the domain may be given once',
    });
  });
});
