// npm start: `weir serve`, with the bundled example where no rules are named. Every variable that is set is obeyed.
import { fileURLToPath } from 'node:url';

const names = ['RUNTIME_ROOT', 'RUNTIME_SUBDIRECTORY', 'RUNTIME_APPDIRECTORY'];
if (names.every((name) => !process.env[name])) {
  process.env['RUNTIME_ROOT'] = fileURLToPath(new URL('../examples', import.meta.url));
}
process.argv.splice(2, process.argv.length, 'serve', ...process.argv.slice(2));
await import('../bin/weir.js');
