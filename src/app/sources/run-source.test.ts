import { expect, it } from 'vitest';
import { createLogger } from '../../log.ts';
import { runSource } from './run-source.ts';

it('a source that fails is heard of in the log, and nothing else', async () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  const log = createLogger({ level: 'info', format: 'json', destination });
  const source = { run: () => Promise.reject(new Error('the server is gone')) };
  const apply = () => Promise.reject(new Error('nothing is delivered'));
  await runSource(source, { apply, signal: new AbortController().signal, log });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 'error',
      '@message': 'the source of the rules has failed; what is in force stays until a restart',
      err: expect.objectContaining({ message: 'the server is gone' }),
    }),
  ]);
});

it('a source that runs to the signal is no news', async () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  const log = createLogger({ level: 'trace', format: 'json', destination });
  const stopping = new AbortController();
  const run = (_: unknown, signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const running = runSource({ run }, { apply: () => Promise.reject(), signal: stopping.signal, log });
  stopping.abort();
  await running;
  expect(lines).toEqual([]);
});
