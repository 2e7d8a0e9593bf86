import type { Descriptor } from '../../src/domain/descriptor.ts';
import { octetsOf } from '../../src/domain/octets.ts';
import { match } from '../../src/rules/match.ts';
import { patternBounds } from '../../src/rules/patterns/pattern-bounds.ts';
import { type Measured, measureSync, type Scenario, scenario, seededRandom } from './measure.ts';
import { type BenchRule, compileBenchRules, descriptorOf, domain } from './rules.ts';

const sizes = [10, 10_000];

/** Kinds of rules: the rule of an index. */
const kinds: Readonly<Record<string, (index: number) => BenchRule>> = {
  exact: (index) => ({ levels: [['user', `user-${index}`]], matching: [['user', `user-${index}`]] }),
  'key alone': (index) => ({ levels: [[`key-${index}`, '']], matching: [[`key-${index}`, 'anything']] }),
  'prefix pattern': (index) => ({
    levels: [['path', `/api/v${index}/*`]],
    matching: [['path', `/api/v${index}/items/17`]],
  }),
  'nested, 3 levels': (index) => {
    const levels = [
      ['tenant', `tenant-${Math.floor(index / 100)}`],
      ['plan', `plan-${Math.floor(index / 10) % 10}`],
      ['path', `/path-${index % 10}`],
    ] as const;
    return { levels, matching: levels };
  },
};

export const matchScenarios: readonly Scenario[] = [
  ...sizes.flatMap((size) =>
    Object.entries(kinds).map(([kind, ruleAt]) =>
      scenario(`match alone, ${size.toLocaleString('en')} rules, ${kind}`, () =>
        measureMatch(Array.from({ length: size }, (_, index) => ruleAt(index))),
      ),
    ),
  ),
  scenario('match alone, worst patterns and value', () => worst()),
];

/** Descriptors are made beforehand, and come in a random order that is the same in every run. */
function measureMatch(rules: readonly BenchRule[]): Measured {
  const random = seededRandom(1);
  const descriptors = Array.from({ length: 4_096 }, () => {
    const rule = rules[Math.floor(random() * rules.length)];
    return descriptorOf(rule?.matching ?? []);
  });
  return measureDescriptors(rules, descriptors, true);
}

function measureDescriptors(
  rules: readonly BenchRule[],
  descriptors: readonly Descriptor[],
  mustMatch: boolean,
): Measured {
  const rulesOfDomain = compileBenchRules(rules).domains.get(octetsOf(domain));
  if (rulesOfDomain === undefined) throw new Error('the domain was refused');
  return measureSync((times) => {
    let matched = 0;
    for (let i = 0; i < times; i++) {
      const descriptor = descriptors[i % descriptors.length];
      if (descriptor !== undefined && match(rulesOfDomain, descriptor) !== undefined) matched++;
    }
    if (matched !== (mustMatch ? times : 0)) throw new Error(`${matched} of ${times} matched`);
  });
}

/** What stands between the stars of a pattern that fails at its very end, on a value of `a` alone. */
const hardMiddles: readonly string[] = [
  // One part that differs in its first octet, which a search from behind sees last.
  ...[1, 6, 32, 128, 248, 400].map((length) => `b${'a'.repeat(length - 1)}`),
  // One that begins like the value everywhere.
  ...[1, 5, 30, 200].map((length) => `${'a'.repeat(length)}b`),
  // As many parts as are allowed that are found at once, and a last one that is not.
  `${'a*'.repeat(Math.floor(patternBounds.searchedParts / patternBounds.searched) - 1)}b`,
];

/**
 * As many patterns as a value may meet, none of which matches, and as many endings of different lengths to compare. Which
 * middle and which value cost most is tried out.
 */
function worst(): Measured {
  const share = patternBounds.suffixOctets / patternBounds.suffixLengths;
  const endings = Array.from({ length: patternBounds.suffixLengths }, (_, i) => {
    const octets = share - patternBounds.suffixLengths / 2 + i;
    return `a*b${'a'.repeat(octets - 1)}`;
  });
  const measured = hardMiddles.flatMap((middle) => {
    const searched = Array.from(
      { length: patternBounds.searched },
      (_, i) => `${'a'.repeat(i + 1)}*${middle}*`,
    );
    const rules = [...searched, ...endings].map(
      (value): BenchRule => ({ levels: [['k', value]], matching: [] }),
    );
    const values = [512, 60_000].map((octets) => descriptorOf([['k', 'a'.repeat(octets)]]));
    return values.map((value) => measureDescriptors(rules, [value], matchesAnyway(rules, value)));
  });
  return measured.reduce((slowest, one) => (one.serviceMicros > slowest.serviceMicros ? one : slowest));
}

/** Beyond what is searched a pattern counts as matched; a long value then ends at the first. */
function matchesAnyway(rules: readonly BenchRule[], value: Descriptor): boolean {
  const rulesOfDomain = compileBenchRules(rules).domains.get(octetsOf(domain));
  return rulesOfDomain !== undefined && match(rulesOfDomain, value) !== undefined;
}
