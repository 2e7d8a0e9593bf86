import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keptSource } from '../../../src/app/sources/kept.ts';
import type { Apply, ConfigSource, Snapshot } from '../../../src/config/config-source.ts';
import { writeKept } from '../../../src/config/kept/kept-file.ts';
import { createLogger } from '../../../src/log.ts';
import { readSettings } from '../../../src/settings/read-settings.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { temporaryDirectory } from '../config/temporary-directory.ts';

/** Keeps these states in this directory, and gives what is logged. */
async function logOf(directory: string, ...states: readonly Snapshot[]): Promise<Record<string, unknown>[]> {
  const env = { BACKEND_TYPE: 'memory', CONFIG_TYPE: 'ETCD', CONFIG_SNAPSHOT_PATH: directory };
  const read = readSettings(env);
  if (!('settings' in read)) throw new Error(`${read.errors}`);
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => lines.push(JSON.parse(line)) };
  const log = createLogger({ level: 'info', format: 'json', destination });
  const context = { clock: fakeClock(), log, metrics: createMetrics({ withProcess: false }) };
  const apply: Apply = async ({ version }) => ({ kind: 'applied', version, issues: [] });
  const stopping = new AbortController();
  const source: ConfigSource = {
    async run(deliver) {
      for (const state of states) await deliver(state);
      stopping.abort();
    },
  };
  await keptSource('etcd', source, read.settings.config, context).run(apply, stopping.signal);
  return lines;
}

const content = { kind: 'files', files: [] } as const;

it('says that rules could not be kept, that this is tried again, and what a restart begins with', async () => {
  const noFolder = join(await temporaryDirectory(), 'file');
  await writeFile(noFolder, '');
  expect(await logOf(noFolder, { version: '1', documents: [], issues: [], content })).toContainEqual(
    expect.objectContaining({
      level: 'error',
      source: 'etcd',
      reason: expect.stringContaining(noFolder),
      '@message':
        'rules cannot be kept on disk; it is tried again, and until then a restart begins with what was kept before',
    }),
  );
});

it('has nothing in a line that a terminal acts on, whatever a file says', async () => {
  const directory = await temporaryDirectory();
  const record = { identity: 'etcd \u001b[2J', version: '1', savedAt: 0, content };
  await writeKept(join(directory, 'etcd.snapshot'), record);
  expect((await logOf(directory)).map(({ reason }) => reason)).toEqual([
    String.raw`it is of another source: etcd \x1b[2J`,
  ]);
});
