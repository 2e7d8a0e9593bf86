import { describe, expect, it } from 'vitest';
import { createMappedLineReader } from './mapped-line.ts';
import { parseMapping } from './parse-mapping.ts';

const time = '2026-11-02T10:00:00.250Z';

function reader(text: string) {
  const { mapping, issues } = parseMapping('mapping.yaml', Buffer.from(text));
  if (mapping === undefined) throw new Error(JSON.stringify(issues));
  return createMappedLineReader(mapping);
}

/** The descriptors that a JSON line becomes, as `key=value, key=value`; what it becomes else. */
function descriptorsOf(descriptors: string, line: object): string[] | string {
  const read = reader(`{ time: { field: time }, domain: api, descriptors: ${descriptors} }`)(
    JSON.stringify({ time, ...line }),
  );
  if (read.kind !== 'request') return read.kind;
  return read.request.descriptors.map(({ entries }) =>
    entries.map(({ key, value }) => `${key}=${value}`).join(', '),
  );
}

describe('createMappedLineReader()', () => {
  it.each([
    ['a field', '[{ entries: [{ key: ip, field: ip }] }]', { ip: '192.0.2.1' }, ['ip=192.0.2.1']],
    ['a number', '[{ entries: [{ key: code, field: code }] }]', { code: 200 }, ['code=200']],
    ['a field in a field', '[{ entries: [{ key: p, field: req.path }] }]', { req: { path: '/a' } }, ['p=/a']],
    [
      'a field whose name has a point',
      '[{ entries: [{ key: p, field: req.path }] }]',
      { 'req.path': '/b' },
      ['p=/b'],
    ],
    [
      'the group of a match',
      `[{ entries: [{ key: t, field: path, match: '^/t/([^/?]+)' }] }]`,
      { path: '/t/acme/x' },
      ['t=acme'],
    ],
    [
      'all that matches',
      `[{ entries: [{ key: t, field: path, match: '^/[^/]+' }] }]`,
      { path: '/t/acme/x' },
      ['t=/t'],
    ],
    ['two entries', '[{ entries: [{ key: a, value: x }, { key: b, field: b }] }]', { b: 'y' }, ['a=x, b=y']],
    ['a default', '[{ entries: [{ key: plan, field: plan, default: none }] }]', {}, ['plan=none']],
    [
      'a default where nothing matches',
      '[{ entries: [{ key: n, field: n, match: x(.), default: 0 }] }]',
      { n: 'y' },
      ['n=0'],
    ],
    [
      'no entry that is optional',
      '[{ entries: [{ key: a, value: x }, { key: b, field: b, optional: true }] }]',
      {},
      ['a=x'],
    ],
    ['text in UTF-8', '[{ entries: [{ key: u, field: u }] }]', { u: 'zoë' }, ['u=zo\u00c3\u00ab']],
    [
      'only descriptors that have all of their values',
      '[{ entries: [{ key: a, field: a }, { key: b, field: b }] }, { entries: [{ key: c, field: c }] }]',
      { a: 'x', c: 'z' },
      ['c=z'],
    ],
    [
      'those whose conditions hold',
      '[{ when: [{ field: m, match: ^GET$ }, { field: p, match: ^/a }], entries: [{ key: k, value: both }] }, { when: [{ field: m, match: POST }], entries: [{ key: k, value: post }] }]',
      { m: 'GET', p: '/ab' },
      ['k=both'],
    ],
  ])('makes descriptors of %s', (_, descriptors, line, made) => {
    expect(descriptorsOf(descriptors, line)).toEqual(made);
  });

  it.each([undefined, null, '', '-', {}, []])('%j is no value, and without one there is no request', (ip) => {
    expect(descriptorsOf('[{ entries: [{ key: ip, field: ip }] }]', { ip })).toBe('passed');
  });

  it('is not misled by what every object has', () => {
    expect(descriptorsOf('[{ entries: [{ key: k, field: constructor }] }]', {})).toBe('passed');
    expect(descriptorsOf('[{ entries: [{ key: k, field: a.constructor }] }]', { a: {} })).toBe('passed');
  });

  it('reads domain and hits from fields, and passes by lines of other kinds', () => {
    const read = reader(`
when: [{ field: kind, match: request }]
time: { field: time, match: '^at (.*)' }
domain: { field: host, match: '^[^.]+' }
hits: { field: cost, default: 1 }
descriptors: [{ entries: [{ key: k, value: v }] }]
`);
    const line = (fields: object) => read(JSON.stringify({ time: `at ${time}`, kind: 'request', ...fields }));
    expect(line({ host: 'shop.example', cost: 7 })).toMatchObject({
      timeMs: Date.parse(time),
      request: { domain: 'shop', hitsAddend: 7 },
    });
    expect(line({ host: 'shop.example' })).toMatchObject({ request: { hitsAddend: 1 } });
    expect(line({ kind: 'health' })).toEqual({ kind: 'passed' });
    expect(line({})).toEqual({ kind: 'passed' });
    expect(line({ host: 'shop.example', cost: 'much' })).toMatchObject({
      message: expect.stringMatching(/^the hits/),
    });
    expect(line({ host: 'shop.example', time: 'soon' })).toMatchObject({
      message: expect.stringMatching(/^the time/),
    });
    expect(read('no JSON')).toMatchObject({ message: 'it is not a JSON object' });
  });

  it('reads text by the groups of a pattern', () => {
    const read = reader(`
pattern: '^(?<time>\\S+) (?<ip>\\S+)(?: (?<user>\\S+))?$'
time: { field: time }
domain: api
descriptors: [{ entries: [{ key: ip, field: ip }] }, { entries: [{ key: user, field: user }] }]
`);
    expect(read(`${time} 192.0.2.1\r`)).toMatchObject({
      kind: 'request',
      request: { descriptors: [{ entries: [{ key: 'ip', value: '192.0.2.1' }] }] },
    });
    expect(read(`${time} 192.0.2.1 ann`)).toMatchObject({ request: { descriptors: { length: 2 } } });
    expect(read(time)).toEqual({ kind: 'fault', message: 'it does not match the pattern of the mapping' });
  });
});
