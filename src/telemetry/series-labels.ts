import type { Entry } from '../domain/descriptor.ts';
import { shortHash } from '../domain/keyed-hash.ts';
import { type Octets, textOf } from '../domain/octets.ts';
import type { Rule, RuleLevel } from '../rules/rule.ts';
import { otherLabel } from './labelled.ts';

/** What tells a rule's series from others: on the page the domain and the first two levels, as in the reference. */
export interface SeriesLabels {
  readonly domain: string;
  readonly key1: string;
  /** undefined for a rule of one level: the label is then left out. */
  readonly key2: string | undefined;
  /** Further levels, where series are told apart by them too: statsd's names hold whole paths. No label shows them. */
  readonly deeper: readonly string[];
}

/** The levels that labels show; series of deeper rules add up unless more are asked for. */
export const labelledLevels = 2;

/** Longest value of a caller that is shown, in octets; a value can be as long as a request. */
const maxValueOctets = 128;

/** Whether a level shows the value of the request instead of what is configured. */
function showsRequest(rule: Rule, level: RuleLevel): boolean {
  const open = level.value === '' || level.isPattern || level.cidrs.length > 0;
  // A shared threshold has one counter, and so one series, whatever the value.
  return open && !level.shareThreshold && (rule.detailedMetric || level.valueToMetric);
}

/**
 * Positions of the levels whose label depends on the request. Empty for a rule with one series.
 * @param depth how many levels tell series apart
 */
export function requestLevels(rule: Rule, depth: number = labelledLevels): readonly number[] {
  const positions: number[] = [];
  for (const [position, level] of rule.levels.slice(0, depth).entries()) {
    if (showsRequest(rule, level)) positions.push(position);
  }
  return positions;
}

/** Positions of the levels whose label has hashes in the place of values. */
export function hashedLevels(rule: Rule, depth: number = labelledLevels): readonly number[] {
  return requestLevels(rule, depth).filter((position) => rule.levels[position]?.keyedHash !== undefined);
}

/** Labels as configured: `key`, or `key_value` where the rule names a value or pattern. */
export function configuredLabels(rule: Rule, depth: number = labelledLevels): SeriesLabels {
  return labelsOf(rule, depth, ({ key, value }) => joined(key, value));
}

/** Labels with the request's values where the rule asks for them. */
export function requestLabels(
  rule: Rule,
  entries: readonly Entry[],
  depth: number = labelledLevels,
): SeriesLabels {
  return labelsOf(rule, depth, (level, position) => {
    const entry = entries[position];
    if (entry === undefined || !showsRequest(rule, level)) return joined(level.key, level.value);
    return joined(level.key, shownValue(level, entry.value));
  });
}

/** Labels of the series that counts the values for which there is no room. */
export function otherValueLabels(rule: Rule, depth: number = labelledLevels): SeriesLabels {
  return labelsOf(rule, depth, (level) =>
    joined(level.key, showsRequest(rule, level) ? otherLabel : level.value),
  );
}

function labelsOf(
  rule: Rule,
  depth: number,
  textOfLevel: (level: RuleLevel, position: number) => string,
): SeriesLabels {
  const [key1 = '', key2, ...deeper] = rule.levels
    .slice(0, depth)
    .map((level, position) => labelText(textOfLevel(level, position)));
  return { domain: labelText(textOf(rule.domain)), key1, key2, deeper };
}

function joined(key: string, value: string): string {
  return value === '' ? key : `${key}_${value}`;
}

/** Marks a cut value. No octet is this character, so that a cut value never equals a whole one. */
const cutMark = '…';

/** A value as its label shows it, of bounded length; values that are cut to the same text share a series. */
function shownValue(level: RuleLevel, value: Octets): string {
  const cut = labelledPart(level, value);
  if (level.keyedHash !== undefined) return cut;
  const whole = level.countedAs?.(value) ?? value;
  if (cut === whole) return textOf(whole);
  // The cut may fall into the middle of a character.
  return textOf(cut.slice(0, -1) as Octets).replace(/\uFFFD+$/, '') + cutMark;
}

/**
 * The part of a value that its label depends on, as text of its own: a slice would keep the whole value alive. Of a value
 * that must not be seen it is a part of its hash. An address is shown as it is counted.
 */
export function labelledPart({ keyedHash, countedAs }: RuleLevel, asked: Octets): string {
  const value = countedAs?.(asked) ?? asked;
  if (keyedHash !== undefined) return shortHash(keyedHash(value));
  if (value.length <= maxValueOctets) return value;
  return Buffer.from(value.slice(0, maxValueOctets), 'latin1').toString('latin1') + cutMark;
}

const ipv4 = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?!\d|\.\d)/g;

/**
 * The reference cleans its names of what statsd gives a meaning to, and of the dots of IPv4 addresses, so that
 * `remote_address_10.0.0.1` shows as `remote_address_10_0_0_1`; dashboards ask for these texts. Other dots stay: labels
 * are not parsed out of a name here, so that a dot ends nothing.
 */
export function labelText(text: string): string {
  return text.replace(/[:|]/g, '_').replace(ipv4, (address) => address.replaceAll('.', '_'));
}
