/**
 * `npm run build`: compiles src/ to JavaScript, for the image and for whoever runs `weir` without the sources.
 *
 *     node scripts/build.ts [--out folder]
 *
 * The folder, dist/ unless given, is emptied first, so that nothing of an earlier build stays in it. `bin/weir.js` takes
 * the sources where they are, and else `dist/` beside it.
 */
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCommand } from './run-command.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));

const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist') } } });
const out = resolve(values.out);
rmSync(out, { recursive: true, force: true });
const project = join(root, 'tsconfig.build.json');
const { ok, output, seconds } = await runCommand(process.execPath, [
  compiler,
  '-p',
  project,
  '--outDir',
  out,
]);
process.stdout.write(output);
if (ok) console.log(`built ${out} in ${seconds.toFixed(1)} s`);
else process.exitCode = 1;
