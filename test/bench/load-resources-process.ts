/** Takes a DiscoveryResponse of a file as the service does, in a process of its own, and prints what that cost as JSON. */
import { readFile } from 'node:fs/promises';
import { createConfigLoader } from '../../src/config/config-loader.ts';
import { createResponseReceiver } from '../../src/config/xds/receive-response.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { measureLoad } from './measure-load.ts';

const [file = ''] = process.argv.slice(2);
const message = await readFile(file);
const loader = createConfigLoader({
  mergeDomains: false,
  keyPrefix: '',
  clock: systemClock,
  onLoad: () => {},
});
const receive = createResponseReceiver(loader.apply, {
  withContent: false,
  onFailure(error) {
    throw error;
  },
});
const costs = await measureLoad(async () => {
  const verdict = await receive(message, new AbortController().signal);
  if (verdict.kind !== 'accepted') throw new Error(JSON.stringify(verdict));
});
console.log(JSON.stringify(costs));
