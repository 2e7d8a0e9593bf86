import { chmodSync, cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../../scripts/run-command.ts';
import { readStages } from './dockerfile.ts';
import { readText, root } from './repository.ts';

/** What the Dockerfile puts into the image beside Node. */
export interface ImageTree {
  /** `/opt/weir` */
  readonly directory: string;
  /** `/usr/bin/weir` and `/usr/bin/ratelimit` */
  readonly weir: string;
  readonly ratelimit: string;
}

interface LockedPackage {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
}

/** Copies what the Dockerfile does; instead of `npm ci` it takes what that would install. The links work where it is. */
export async function makeImageTree(target: string): Promise<ImageTree> {
  const directory = join(target, 'opt/weir');
  for (const name of ['package.json', 'LICENSE', 'bin', 'proto', ...installedPackages()]) {
    cpSync(join(root, name), join(directory, name), { recursive: true, filter: isOwn(join(root, name)) });
  }
  const build = await runCommand(process.execPath, [
    join(root, 'scripts/build.ts'),
    '--out',
    join(directory, 'dist'),
  ]);
  if (!build.ok) throw new Error(build.output);
  const bin = join(target, 'usr/bin');
  mkdirSync(bin, { recursive: true });
  const link = (name: string) => {
    symlinkSync(join(directory, `bin/${name}.js`), join(bin, name));
    return join(bin, name);
  };
  return { directory, weir: link('weir'), ratelimit: link('ratelimit') };
}

/** The whole content of the image: what was copied, and what the commands of the Dockerfile's stage "tree" make of it. */
export async function makeImageRoot(target: string, copied: ImageTree): Promise<void> {
  const directory = join(target, 'opt/weir');
  cpSync(copied.directory, directory, { recursive: true });
  // As docker has it: everybody may look, and only root may write.
  chmodSync(target, 0o755);
  const tree = readStages().find(({ name }) => name === 'tree')?.instructions ?? [];
  for (const { name, rest } of tree) {
    if (name !== 'RUN') continue;
    const command = rest.replaceAll(/(?<![\w.])\/tree(?=[/ ]|$)/g, target);
    const made = await runCommand('sh', ['-c', command], { cwd: directory });
    if (!made.ok) throw new Error(`${command}:\n${made.output}`);
  }
}

/** What `npm ci --omit=dev --omit=optional` installs, by the lock file. */
function installedPackages(): string[] {
  const { packages } = JSON.parse(readText('package-lock.json')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  return Object.entries(packages)
    .filter(([path, { dev, optional, devOptional }]) => path !== '' && !dev && !optional && !devOptional)
    .map(([path]) => path);
}

/** Leaves out packages inside of a package: the lock file names those that belong. */
function isOwn(directory: string): (source: string) => boolean {
  return (source) => !source.slice(directory.length).startsWith('/node_modules');
}
