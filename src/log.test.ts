import { describe, expect, it } from 'vitest';
import { createLogger, type Logger, type LoggerOptions } from './log.ts';

const clock = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 6), monotonic: () => 0 };

function written(options: Pick<LoggerOptions, 'level' | 'format'>, write: (log: Logger) => void): string[] {
  const lines: string[] = [];
  write(createLogger({ ...options, clock, destination: { write: (line) => lines.push(line) } }));
  return lines;
}

describe('createLogger()', () => {
  it('writes a JSON object a line, with the names of the reference', () => {
    const lines = written({ level: 'info', format: 'json' }, (log) =>
      log.info({ domain: 'shop', count: 3 }, 'rules applied'),
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/\}\n$/);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'info',
      '@timestamp': '2026-01-02T03:04:05.006Z',
      '@message': 'rules applied',
      domain: 'shop',
      count: 3,
    });
  });

  it('names the level warn as the reference does', () => {
    const lines = written({ level: 'info', format: 'json' }, (log) => log.warn({}, 'look'));
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warning' });
  });

  it('writes an exception with its message and stack', () => {
    const lines = written({ level: 'info', format: 'json' }, (log) =>
      log.error({ err: new TypeError('odd') }, 'unexpected'),
    );
    expect(JSON.parse(lines[0] ?? '').err).toMatchObject({
      type: 'TypeError',
      message: 'odd',
      stack: expect.any(String),
    });
  });

  it.each([
    ['warn', ['error', 'warn']],
    ['info', ['error', 'warn', 'info']],
    ['debug', ['error', 'warn', 'info', 'debug']],
  ] as const)('at level %s writes %j', (level, expected) => {
    const lines = written({ level, format: 'json' }, (log) => {
      for (const each of ['error', 'warn', 'info', 'debug', 'trace'] as const) log[each]({}, each);
    });
    expect(lines.map((line) => JSON.parse(line)['@message'])).toEqual(expected);
  });

  it('tells which levels it writes', () => {
    const log = createLogger({ level: 'warn', format: 'json', destination: { write: () => {} } });
    expect([log.isLevelEnabled('warn'), log.isLevelEnabled('info')]).toEqual([true, false]);
  });

  it('adds the fields of a child to each of its lines', () => {
    const lines = written({ level: 'info', format: 'json' }, (log) =>
      log.child({ listener: 'grpc' }).info({ address: '[::]:8081' }, 'listening'),
    );
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ listener: 'grpc', address: '[::]:8081' });
  });

  it.each([
    ['a plain value', { rule: 'shop.plan_free' }, 'rule=shop.plan_free'],
    ['a number', { suppressed: 12 }, 'suppressed=12'],
    ['a value with a space', { entry: 'a b' }, 'entry="a b"'],
    ['a value that looks like another field', { entry: 'x level=error' }, 'entry="x level=error"'],
    ['a line end', { entry: 'a\nb' }, 'entry="a\\nb"'],
    ['an empty value', { entry: '' }, 'entry=""'],
    ['a list', { files: ['a', 'b'] }, 'files=["a","b"]'],
  ])('as text, writes %s on one line', (_, fields, expected) => {
    const lines = written({ level: 'info', format: 'text' }, (log) => log.warn(fields, 'a message'));
    expect(lines).toEqual([`2026-01-02T03:04:05.006Z WARNING a message ${expected}\n`]);
  });
});
