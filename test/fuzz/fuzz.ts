/**
 * Fuzzing of the HTTP/2 server, without sockets: connections that were recorded and are changed, connections by a grammar,
 * and header blocks. See fuzz-options.ts for what can be asked for.
 */
import { readFileSync } from 'node:fs';
import { readOptions, usage } from './fuzz-options.ts';
import { play } from './play.ts';
import { runFuzz } from './run-fuzz.ts';
import { Script } from './script.ts';

const options = readOptions(process.argv.slice(2));
if (options === undefined) {
  console.error(usage);
  process.exitCode = 2;
} else if (options.replay !== undefined) {
  const frames = await play(Script.fromJson(readFileSync(options.replay, 'utf8')));
  console.log(`no fault in ${frames} frames`);
} else if (!(await runFuzz(options))) process.exitCode = 1;
