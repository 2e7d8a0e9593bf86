import { readFile } from 'node:fs/promises';
import { createMappedLineReader } from '../simulate/envoy/mapped-line.ts';
import { parseMapping } from '../simulate/envoy/parse-mapping.ts';
import { createJsonLineReader } from '../simulate/log/json-line.ts';
import type { ReadLine } from '../simulate/log/log-line.ts';
import { printIssue } from './load-rules.ts';
import type { Output } from './output.ts';

export interface LineOptions {
  readonly format: 'jsonl' | 'envoy';
  /** A file; needed with `envoy`. */
  readonly mapping?: string;
}

/** The reader of the log's lines; undefined when there is none, which has been said. */
export async function lineReader(
  { format, mapping }: LineOptions,
  output: Output,
): Promise<ReadLine | undefined> {
  if ((format === 'envoy') !== (mapping !== undefined)) {
    output.err('weir simulate: --format envoy and --mapping go together');
    return undefined;
  }
  return mapping === undefined ? createJsonLineReader() : mappedReader(mapping, output);
}

async function mappedReader(path: string, output: Output): Promise<ReadLine | undefined> {
  let content: Buffer;
  try {
    content = await readFile(path);
  } catch (error) {
    output.err(
      `weir simulate: the mapping ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
    return undefined;
  }
  const { mapping, issues } = parseMapping(path, content);
  for (const issue of issues) output.err(printIssue(issue));
  return mapping && createMappedLineReader(mapping);
}
