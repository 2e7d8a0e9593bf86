import type { Descriptor } from '../../src/domain/descriptor.ts';
import { octetsOf } from '../../src/domain/octets.ts';
import { isExempt } from '../../src/rules/exemptions/exemptions.ts';
import { match } from '../../src/rules/match.ts';
import type { DomainRules } from '../../src/rules/rule-set.ts';
import { type Measured, measureSync, type Scenario, scenario, seededRandom } from './measure.ts';
import { compileText, descriptorOf, domain, limit } from './rules.ts';

const networkCount = 10_000;

/** Networks of a family that lie apart, and as much room between them: the network, and an address, of an index. */
const families = {
  IPv4: {
    network: (index: number) => `${10 + (index >> 12)}.${(index >> 4) & 255}.${(index & 15) * 16}.0/21`,
    address: (index: number) => `${10 + (index >> 12)}.${(index >> 4) & 255}.${(index & 15) * 16 + 9}.7`,
    inside: (index: number) => `${10 + (index >> 12)}.${(index >> 4) & 255}.${(index & 15) * 16 + 5}.7`,
  },
  IPv6: {
    network: (index: number) => `"2001:db8:${(index * 2).toString(16)}::/48"`,
    address: (index: number) => `2001:db8:${(index * 2 + 1).toString(16)}:1::abcd`,
    inside: (index: number) => `2001:db8:${(index * 2).toString(16)}:1::abcd`,
  },
} as const;
type Family = keyof typeof families;

/** Half of the addresses are in a network. */
function descriptorsOf(family: Family): readonly Descriptor[] {
  const random = seededRandom(3);
  const { address, inside } = families[family];
  return Array.from({ length: 4_096 }, (_, at) => {
    const index = Math.floor(random() * networkCount);
    return descriptorOf([['ip', at % 2 === 0 ? inside(index) : address(index)]]);
  });
}

function domainOf(text: string): DomainRules {
  const rules = compileText(text).domains.get(octetsOf(domain));
  if (rules === undefined) throw new Error('the domain was refused');
  return rules;
}

function networksOf(family: Family): readonly string[] {
  return Array.from({ length: networkCount }, (_, index) => families[family].network(index));
}

/** How long a question takes of which half of all descriptors must be answered with yes. */
function measureHalf(family: Family, ask: (descriptor: Descriptor) => boolean): Measured {
  const descriptors = descriptorsOf(family);
  if (descriptors.filter(ask).length !== descriptors.length / 2)
    throw new Error('other than half are in a network');
  return measureSync((times) => {
    let found = 0;
    for (let i = 0; i < times; i++) {
      const descriptor = descriptors[i % descriptors.length];
      if (descriptor !== undefined && ask(descriptor)) found++;
    }
    if (times > 1 && found === 0) throw new Error('nothing found');
  });
}

function measureExempt(family: Family): Measured {
  const { exemptions } = domainOf(
    `domain: ${domain}\nexemptions: [{key: ip, cidrs: [${networksOf(family).join(', ')}]}]\ndescriptors: []`,
  );
  if (exemptions === undefined) throw new Error('no exemptions');
  return measureHalf(family, (descriptor) => isExempt(exemptions, [descriptor]));
}

function measureRules(family: Family): Measured {
  const lines = networksOf(family).map(
    (network) => `  - {key: ip, cidrs: [${network}], rate_limit: ${limit}}`,
  );
  const rules = domainOf(`domain: ${domain}\ndescriptors:\n${lines.join('\n')}`);
  return measureHalf(family, (descriptor) => match(rules, descriptor) !== undefined);
}

const names = Object.keys(families) as Family[];

export const networkScenarios: readonly Scenario[] = [
  ...names.map((family) =>
    scenario(`match alone, 10,000 networks of ${family}`, async () => measureRules(family)),
  ),
  ...names.map((family) =>
    scenario(`exempt or not, 10,000 networks of ${family}`, async () => measureExempt(family)),
  ),
];
