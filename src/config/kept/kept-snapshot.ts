import type { Snapshot } from '../config-source.ts';
import { parseFiles } from '../parse-files.ts';
import { parseResponse } from '../xds/parse-response.ts';
import type { KeptRecord } from './kept-record.ts';

/** Reads what was kept as if it came now: this version of Weir may find other faults in it than the one that kept it. */
export async function snapshotOf({ version, content }: KeptRecord, signal: AbortSignal): Promise<Snapshot> {
  if (content.kind === 'files') {
    const files = content.files.map((one) => ({ ...one, kind: 'content' as const, digest: '' }));
    return { version, ...(await parseFiles(files, signal)) };
  }
  const response = await parseResponse(content.message, signal);
  try {
    return await response.snapshot();
  } finally {
    await response.close();
  }
}
