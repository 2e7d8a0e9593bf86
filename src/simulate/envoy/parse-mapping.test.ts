import { describe, expect, it } from 'vitest';
import { parseMapping } from './parse-mapping.ts';

const parse = (text: string) => parseMapping('mapping.yaml', Buffer.from(text));

/** A sound mapping, of which the tests spoil a part. */
const sound = `
time: { field: start }
domain: api
descriptors:
  - when: [{ field: path, match: ^/login }]
    entries:
      - { key: route, value: login }
      - { key: address, field: request.address, match: '^(.*):', default: none, optional: yes }
`;

function issuesOf(text: string): string[] {
  const { mapping, issues } = parse(text);
  expect(mapping).toBeUndefined();
  return issues.map(({ line, code, message }) => `${line} ${code}: ${message}`);
}

describe('parseMapping()', () => {
  it('reads all of a mapping', () => {
    expect(parse(`${sound}hits: { field: cost }\nwhen: [{ field: code, match: . }]`)).toEqual({
      issues: [],
      mapping: {
        pattern: undefined,
        when: [{ field: { name: 'code', path: ['code'] }, match: /./ }],
        time: {
          kind: 'field',
          field: { name: 'start', path: ['start'] },
          match: undefined,
          otherwise: undefined,
        },
        domain: { kind: 'fixed', value: 'api' },
        hits: {
          kind: 'field',
          field: { name: 'cost', path: ['cost'] },
          match: undefined,
          otherwise: undefined,
        },
        descriptors: [
          {
            when: [{ field: { name: 'path', path: ['path'] }, match: /^\/login/ }],
            entries: [
              { key: 'route', source: { kind: 'fixed', value: 'login' }, isOptional: false },
              {
                key: 'address',
                source: {
                  kind: 'field',
                  field: { name: 'request.address', path: ['request', 'address'] },
                  match: /^(.*):/,
                  otherwise: 'none',
                },
                isOptional: true,
              },
            ],
          },
        ],
      },
    });
  });

  it('takes what anchors stand for', () => {
    const { mapping } = parse(`
time: &start { field: start }
domain: api
hits: *start
descriptors:
  - &one { entries: [&ip { key: ip, field: ip }] }
  - { entries: [*ip, { key: path, field: path }] }
  - *one
`);
    expect(mapping?.descriptors.map(({ entries }) => entries.map(({ key }) => key))).toEqual([
      ['ip'],
      ['ip', 'path'],
      ['ip'],
    ]);
    expect(mapping?.hits).toEqual(mapping?.time);
  });

  it.each([
    ['', ["1 empty-mapping: the file is empty; a mapping needs 'time', 'domain' and 'descriptors'"]],
    [
      '- a',
      ['1 wrong-type: a mapping file must be a mapping of pattern, when, time, domain, hits, descriptors'],
    ],
    ['domain: [', [expect.stringMatching(/^1 yaml-syntax: /)]],
    [
      '{}',
      [
        "1 missing-key: 'time' is missing",
        "1 missing-key: 'domain' is missing",
        "1 missing-key: 'descriptors' is missing",
      ],
    ],
    [
      sound.replace('domain', 'domian'),
      ["2 missing-key: 'domain' is missing", "3 unknown-key: unknown key 'domian', did you mean 'domain'?"],
    ],
    [`${sound}time: { field: t }`, ["9 duplicate-key: 'time' is written a second time"]],
    [sound.replace('{ field: start }', 'start'), ["2 wrong-type: 'time' needs a field"]],
    [sound.replace('{ field: start }', '{ match: x }'), ["2 missing-key: 'field' is missing"]],
    [
      sound.replace('^/login', "'('"),
      [expect.stringMatching(/^5 bad-pattern: 'match' is no regular expression: /)],
    ],
    [sound.replace(', match: ^/login', ''), ["5 missing-key: 'match' is missing"]],
    [sound.replace('key: route, ', ''), ["7 missing-key: 'key' is missing"]],
    [
      sound.replace('value: login', 'value: login, field: f'),
      ["7 value-and-field: an entry has 'value' or 'field', not both"],
    ],
    [
      sound.replace('optional: yes', 'optional: 7'),
      [expect.stringMatching(/^8 wrong-type: 'optional' must be true/)],
    ],
    [
      sound.replace('entries:', 'entry:'),
      [
        "5 missing-key: 'entries' is missing",
        "6 unknown-key: unknown key 'entry'; known here: when, entries",
      ],
    ],
    [sound.replace('[{ field: path, match: ^/login }]', 'path'), ["5 wrong-type: 'when' must be a list"]],
    [
      `pattern: 'x'${sound}`,
      [
        expect.stringMatching(/^1 bad-pattern: 'pattern' names no group/),
        ...fields('start', 'path', 'request.address'),
      ],
    ],
    [
      `pattern: '(?<start>x)(?<pth>y)'${sound.replace('request.address', 'pth')}`,
      ["5 unknown-field: the pattern has no group 'path', did you mean 'pth'?"],
    ],
  ])('says what is wrong with %j', (text, issues) => {
    expect(issuesOf(text)).toEqual(issues);
  });
});

/** That a pattern without groups has none of these. */
function fields(...names: string[]) {
  return names.map((name) => expect.stringContaining(`unknown-field: the pattern has no group '${name}'`));
}
