import { describe, expect, it } from 'vitest';
import { argsOf, defaultSettings, parseSettings } from './settings.ts';

const target = '127.0.0.1:8081';

describe('the settings of a load', () => {
  it('survive the command line', () => {
    const some = {
      ...{ target, connections: 2, streams: 3, calls: 4, seconds: 0.5, keys: 6, descriptors: 7 },
      ...{ mode: 'open' as const, rate: 8, isWithTimeout: false, seed: 0, warmUpSeconds: 0.25 },
    };
    expect(parseSettings(argsOf(some))).toEqual(some);
    expect(parseSettings(argsOf({ target, calls: 5 }))).toEqual({ ...defaultSettings, target, calls: 5 });
  });

  it('have one key with --same-key', () => {
    expect(parseSettings(['--target', target, '--calls', '1', '--same-key']).keys).toBe(1);
  });

  it.each([
    [['--calls', '1'], '--target is missing'],
    [['--target', target], 'must say when the load ends'],
    [['--target', target, '--calls', 'many'], 'many is no number for calls'],
    [['--target', target, '--calls', '0'], '0 is no number for calls'],
    [['--target', target, '--calls', '1', '--mode', 'half'], 'neither closed nor open'],
    [['--target', target, '--cals', '1'], "'--cals'"],
  ])('are refused where they are wrong: %j', (args, message) => {
    expect(() => parseSettings(args)).toThrow(message);
  });
});
