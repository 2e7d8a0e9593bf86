import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.ts';
import { openConnections } from './attacked.ts';
import { crowdAllowed, openCrowd, openIdleCrowd } from './crowd-attacks.ts';
import { connectHostile } from './hostile-connection.ts';
import { residentBytes } from './memory-watch.ts';
import { startTarget } from './target.ts';

/** Of resident memory. What an idle connection has is a socket, a session, an empty table and a buffer to write into. */
const maxConnectionBytes = 65_536;

const size = crowdAllowed(10_000);

it(`${size} idle connections: they cost little, and the good client is served`, async () => {
  await using target = await startTarget();
  await target.good.goesOn(100);
  const before = residentBytes(target.weir.pid);
  {
    await using crowd = await openIdleCrowd(target.address, size);
    expect(await openConnections(target)).toBe(1 + size);
    await target.good.goesOn(200);
    expect(crowd.members.every(({ isOpen }) => isOpen)).toBe(true);
    const after = residentBytes(target.weir.pid);
    expect(((after ?? 0) - (before ?? 0)) / size).toBeLessThan(maxConnectionBytes);
  }
  await waitUntil('them to be gone', async () => (await openConnections(target)) === 1);
  expect(target.good.failures).toEqual([]);
  expect(target.weir.exit).toBeUndefined();
});

it('CVE-2023-4785: more connections than files: the good client is served, and others are when they have left', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'weir-attacks-'));
  const program = join(folder.path, 'few-files');
  const weir = fileURLToPath(new URL('../../bin/weir.js', import.meta.url));
  await writeFile(program, `#!/bin/sh\nulimit -n 200\nexec '${process.execPath}' '${weir}' serve\n`, {
    mode: 0o755,
  });
  await using target = await startTarget({}, { program });
  await target.good.goesOn(50);
  {
    await using crowd = await openCrowd(target.address, 500);
    await waitUntil('some to be closed', () => crowd.members.some(({ isOpen }) => !isOpen));
    await target.good.goesOn(200);
  }
  await using late = await connectHostile(target.address);
  await waitUntil('SETTINGS for one that comes late', () => late.count('SETTINGS') > 0);
  expect(target.good.failures).toEqual([]);
  expect(target.weir.exit).toBeUndefined();
});
