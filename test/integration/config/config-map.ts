import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A directory as the kubelet keeps it for a ConfigMap's volume. */
export interface ConfigMap {
  /**
   * Makes these the files, in the kubelet's own order: a new directory with all of them, one rename of `..data`, links for
   * new names, no links for old names, and the directory before is removed.
   */
  publish(files: Readonly<Record<string, string>>): Promise<void>;
}

export function createConfigMap(directory: string): ConfigMap {
  let generation = 0;
  let present = '';

  async function publish(files: Readonly<Record<string, string>>): Promise<void> {
    generation += 1;
    const next = `..2026_11_29_${generation}`;
    await mkdir(join(directory, next), { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, next, name), text);
    await symlink(next, join(directory, '..data_tmp'));
    await rename(join(directory, '..data_tmp'), join(directory, '..data'));
    const linked = (await readdir(directory)).filter((name) => !name.startsWith('..'));
    for (const name of Object.keys(files)) {
      if (!linked.includes(name)) await symlink(join('..data', name), join(directory, name));
    }
    for (const name of linked) if (!(name in files)) await rm(join(directory, name));
    if (present !== '') await rm(join(directory, present), { recursive: true });
    present = next;
  }

  return { publish };
}
