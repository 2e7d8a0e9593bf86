import type { Header } from '../../domain/decision.ts';

/** Headers that belong to this very response: what a rule says of the client's would break it. */
const names: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Whether a header says how a message is to be read, and so can't be taken from a decision. */
export function describesMessage({ name }: Header): boolean {
  return names.has(name.toLowerCase());
}
