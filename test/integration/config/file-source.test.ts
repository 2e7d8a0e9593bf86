import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFileSource, type FileSourceEvent } from '../../../src/config/file-source.ts';
import { describeConfigSource } from '../../case/config-source.case.ts';
import { createConfigMap } from './config-map.ts';
import { rulesText } from './start-loading.ts';
import { temporaryDirectory } from './temporary-directory.ts';

describeConfigSource('A directory', async (domains) => {
  const directory = join(await temporaryDirectory(), 'config');
  const volume = createConfigMap(directory);
  const set = (wanted: Readonly<Record<string, number | undefined>>) =>
    volume.publish(
      Object.fromEntries(
        Object.entries(wanted).map(([domain, limit]) => [
          `${domain}.yaml`,
          limit === undefined ? 'domain: [' : rulesText(domain, limit),
        ]),
      ),
    );
  await set(domains);
  const source = createFileSource({
    directory,
    ignoreDotFiles: true,
    pollIntervalMs: 3_600_000,
    debounceMs: 50,
    onEvent: (event) => {
      throw new Error(event.kind);
    },
  });
  return { source, set };
});

it('a directory is delivered again at the next poll when its receiver failed', async () => {
  const directory = await temporaryDirectory();
  const events: FileSourceEvent[] = [];
  const source = createFileSource({
    directory,
    ignoreDotFiles: true,
    pollIntervalMs: 20,
    debounceMs: 1,
    onEvent: (event) => events.push(event),
  });
  const stopping = new AbortController();
  let attempts = 0;
  await source.run(async ({ version, issues }) => {
    attempts += 1;
    if (attempts === 1) throw new Error('out of order');
    stopping.abort();
    return { kind: 'applied', version, issues };
  }, stopping.signal);
  expect(attempts).toBe(2);
  expect(events).toEqual([{ kind: 'delivery-failed', error: new Error('out of order') }]);
});
