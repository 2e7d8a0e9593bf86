import { seriesOf } from '../support/exposition.ts';
import { httpCall } from '../support/http-call.ts';
import type { RunningWeir } from '../support/start-weir.ts';

/** All series of a service, by their text. */
export async function seriesAt(weir: RunningWeir): Promise<ReadonlyMap<string, number>> {
  return seriesOf((await httpCall({ address: weir.address('http'), path: '/metrics' })).body);
}

/** One of them; 0 where it is not there. */
export async function seriesOfName(weir: RunningWeir, name: string): Promise<number> {
  return (await seriesAt(weir)).get(name) ?? 0;
}
