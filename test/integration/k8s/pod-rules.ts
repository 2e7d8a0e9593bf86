import type { RunningWeir } from '../../support/start-weir.ts';
import { callWeir } from '../service/call-weir.ts';

/** Rules of the domain `shop`: a limit for each user. */
export function rulesOf(requests: number): Readonly<Record<string, string>> {
  const limit = `{ unit: day, requests_per_unit: ${requests} }`;
  return { 'shop.yaml': `domain: shop\ndescriptors:\n  - key: user\n    rate_limit: ${limit}\n` };
}

/** One request of a user of that domain: the status, or the error. */
export async function askOnce(weir: RunningWeir): Promise<unknown> {
  const answer = await callWeir(weir, 'user=ann');
  return 'response' in answer ? (answer.response as { statuses: object[] }).statuses[0] : answer;
}
