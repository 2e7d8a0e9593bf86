import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of rules that a fault changes while the service runs. */
export interface WrittenRules extends AsyncDisposable {
  readonly directory: string;
}

export async function writeRules(files: Readonly<Record<string, string>>): Promise<WrittenRules> {
  const root = await mkdtemp(join(tmpdir(), 'weir-faults-'));
  const directory = join(root, 'service', 'config');
  await mkdir(directory, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  return { directory, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}
