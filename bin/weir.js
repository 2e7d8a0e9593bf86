#!/usr/bin/env node
// Plain JavaScript, so that an old Node reads it and can say what is missing.
import { existsSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

const oldest = 24;
if (Number(process.versions.node.split('.')[0]) < oldest) {
  process.stderr.write(
    `weir needs Node ${oldest} or newer and was started by ${process.versions.node}. ` +
      'Run it through npm (npm start, npx weir), which uses the version that npm ci installed.\n',
  );
  process.exit(2);
}

// V8 takes objects that outlive two scavenges for long-lived ones, and makes their like in the old space from then on. What
// waits for a store looks so, and lives for a millisecond: whatever it refers to would be kept until the next whole
// collection. Whether that happened was a matter of chance; where it did, collecting took a fourth of the time.
setFlagsFromString('--no-allocation-site-pretenuring');

// The sources where they are, as in a checkout; else what was compiled from them, as in the image.
const source = new URL('../src/main.ts', import.meta.url);
const { main } = await import(
  existsSync(source) ? source.href : new URL('../dist/main.js', import.meta.url).href
);
await main(process.argv.slice(2));
