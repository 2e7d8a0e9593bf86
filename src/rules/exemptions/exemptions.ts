import type { Descriptor, Entry } from '../../domain/descriptor.ts';
import { networkOfText, networkText } from '../../domain/ip-network.ts';
import { type Octets, octetsOf, textOf } from '../../domain/octets.ts';
import { createNetworkIndex, type NetworkIndex } from '../networks/network-index.ts';
import { requestAddress } from '../networks/request-address.ts';
import type { ExemptionDocument, RulesDocument } from '../rules-document.ts';
import type { Steps } from '../steps.ts';
import { createPrefixSet, type PrefixSet } from './prefix-set.ts';

/** What a domain exempts from all its limits, by the key of an entry. */
export type Exemptions = ReadonlyMap<Octets, KeyExemptions>;

/** Exempt values of one key. */
export interface KeyExemptions {
  readonly values: ReadonlySet<Octets>;
  readonly prefixes: PrefixSet;
  /** undefined where there are none, so that no address need be read. */
  readonly networks: NetworkIndex<true> | undefined;
}

/** Those of all files of a domain together; undefined where there are none. */
export function* compileExemptions(documents: readonly RulesDocument[]): Steps<Exemptions | undefined> {
  const all = documents.flatMap(({ exemptions }) => exemptions);
  if (all.length === 0) return undefined;
  const byKey = new Map<Octets, KeyExemptions>();
  for (const [key, same] of Map.groupBy(all, (one) => one.key)) {
    byKey.set(octetsOf(key), yield* compileKey(same));
  }
  return byKey;
}

/** Values, prefixes or networks that are read between two steps. */
const readInStep = 500;

function* compileKey(same: readonly ExemptionDocument[]): Steps<KeyExemptions> {
  const values = new Set<Octets>();
  const networks = [];
  let read = 0;
  for (const exemption of same) {
    for (const value of exemption.values) {
      read += 1;
      if (read % readInStep === 0) yield;
      values.add(octetsOf(value));
    }
    for (const cidr of exemption.cidrs) {
      read += 1;
      if (read % readInStep === 0) yield;
      networks.push({ network: networkOfText(cidr), target: true as const });
    }
  }
  return Object.freeze({
    values,
    prefixes: createPrefixSet(same.flatMap(({ prefix }) => (prefix === undefined ? [] : octetsOf(prefix)))),
    networks: networks.length === 0 ? undefined : yield* createNetworkIndex(networks),
  });
}

/** Whether any entry of any descriptor is exempt. */
export function isExempt(exemptions: Exemptions, descriptors: readonly Descriptor[]): boolean {
  for (const { entries } of descriptors) {
    for (const { key, value } of entries) {
      const ofKey = exemptions.get(key);
      if (ofKey !== undefined && isValueExempt(ofKey, value)) return true;
    }
  }
  return false;
}

function isValueExempt({ values, prefixes, networks }: KeyExemptions, value: Octets): boolean {
  // The first look-up of a text hashes it; many keys have no exact values at all.
  if (values.size > 0 && values.has(value)) return true;
  if (prefixes.find(value) !== undefined) return true;
  if (networks === undefined) return false;
  const address = requestAddress(value);
  return address !== undefined && networks.find(address) !== undefined;
}

/** Why an entry is exempt, such as `remote_address=10.20.3.4 is in 10.20.0.0/16`; undefined where it is not. */
export function explainExemption(exemptions: Exemptions, { key, value }: Entry): string | undefined {
  const ofKey = exemptions.get(key);
  if (ofKey === undefined || !isValueExempt(ofKey, value)) return undefined;
  const entry = `${textOf(key)}=${textOf(value)}`;
  if (ofKey.values.has(value)) return `${entry} is named`;
  const prefix = ofKey.prefixes.find(value);
  if (prefix !== undefined) return `${entry} begins with ${textOf(prefix)}`;
  const address = requestAddress(value);
  const found = address && ofKey.networks?.find(address);
  return found && `${entry} is in ${networkText(found.network)}`;
}
