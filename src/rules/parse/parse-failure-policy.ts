import { type FailurePolicy, failurePolicies } from '../../domain/failure-policy.ts';
import { nearestWord } from '../nearest-word.ts';
import type { YamlNode } from '../yaml/yaml-node.ts';
import { parseText } from './parse-values.ts';
import type { Reading } from './reading.ts';
import { shorten } from './shorten.ts';

/** A `failure_policy`; undefined where nothing is said, and when it is faulty, which has been reported. */
export function parseFailurePolicy(reading: Reading, node: YamlNode | undefined): FailurePolicy | undefined {
  const text = parseText(reading, node, 'failure_policy');
  if (node === undefined || text === undefined || text === '') return undefined;
  const policy = failurePolicies.find((known) => known === text);
  if (policy !== undefined) return policy;
  const near = nearestWord(text.trim().toLowerCase(), failurePolicies);
  const hint = near === undefined ? `it is one of ${failurePolicies.join(', ')}` : `did you mean '${near}'?`;
  reading.report('error', 'unknown-policy', node, `unknown failure_policy '${shorten(text)}', ${hint}`);
  return undefined;
}
