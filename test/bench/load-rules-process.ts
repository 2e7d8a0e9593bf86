/** Loads a directory of rules as the service does, in a process of its own, and prints what that cost as JSON. */
import { createConfigLoader } from '../../src/config/config-loader.ts';
import { readRulesDirectory } from '../../src/config/read-directory.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { measureLoad } from './measure-load.ts';

const [directory = ''] = process.argv.slice(2);
const loader = createConfigLoader({
  mergeDomains: false,
  keyPrefix: '',
  clock: systemClock,
  onLoad: () => {},
});
const costs = await measureLoad(async () => {
  const result = await loader.apply(await readRulesDirectory(directory, { ignoreDotFiles: true }));
  if (result.kind !== 'applied') throw new Error(JSON.stringify(result));
});
console.log(JSON.stringify(costs));
