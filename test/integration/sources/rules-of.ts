import { httpCall } from '../../support/http-call.ts';
import type { RunningWeir } from '../../support/start-weir.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** The rules in force, as `domain.key: limit` a line, of the page at `/rlconfig`. */
export async function rulesOf(weir: RunningWeir): Promise<string[]> {
  const { body } = await httpCall({ address: weir.address('debug'), path: '/rlconfig' });
  return [...body.matchAll(/^(\S+): .*requests_per_unit=(\d+)/gm)].map(
    ([, path, limit]) => `${path}: ${limit}`,
  );
}

export async function untilRules(weir: RunningWeir, ...rules: readonly string[]): Promise<void> {
  await waitUntil(`the rules ${rules}`, async () => String((await rulesOf(weir)).sort()) === String(rules));
}

/** The page at `/metrics`. */
export async function metricsOf(weir: RunningWeir): Promise<string> {
  return (await httpCall({ address: weir.address('http'), path: '/metrics' })).body;
}

export async function isReady(weir: RunningWeir): Promise<boolean> {
  return (await httpCall({ address: weir.address('http'), path: '/readyz' })).status === 200;
}
