import { hash } from 'node:crypto';
import { identityOf } from '../../domain/counter-key.ts';
import { type Octets, textOf } from '../../domain/octets.ts';
import type { DecisionEvent, DescriptorOutcome } from '../../limiter/decision-event.ts';
import { shownValues } from '../../rules/shown-values.ts';
import { printable } from '../../telemetry/printable.ts';

/** Who was denied: a descriptor, and the rule that denied it. */
export interface Subject {
  /** Path of the rule; undefined for a limit that the request brought. */
  readonly rule: string | undefined;
  /** `key=value` of each entry. In place of a value that must not be seen stands its hash. */
  readonly descriptor: string;
}

/** The same for descriptors that are equal under the same rule only. Never shown: it holds values as they are. */
export function subjectKey({ request }: DecisionEvent, { rule, descriptor }: DescriptorOutcome): string {
  const identity = identityOf(request.domain, descriptor.entries);
  const short = identity.length > maxIdentity ? hash('sha256', identity, 'base64url') : identity;
  return `${rule?.id ?? ''} ${short}`;
}

const maxIdentity = 512;

/** As it may be seen, cut to what a report has room for. */
export function subjectOf({ request, rules }: DecisionEvent, outcome: DescriptorOutcome): Subject {
  const { rule, descriptor } = outcome;
  const shownValue = shownValues(rules?.domains.get(request.domain), rule);
  const entries = descriptor.entries
    .slice(0, maxEntries)
    .map((entry, position) => `${shown(entry.key)}=${shown(shownValue(entry, position))}`);
  if (descriptor.entries.length > maxEntries) entries.push(`… (${descriptor.entries.length} entries)`);
  return { rule: rule === undefined ? undefined : printable(rule.path), descriptor: entries.join(', ') };
}

const maxEntries = 16;
const maxOctets = 400;
const maxText = 100;

/** Cut before it is decoded too: a value can be as long as a line. */
function shown(octets: Octets): string {
  return printable(textOf(octets.slice(0, maxOctets) as Octets), maxText);
}
