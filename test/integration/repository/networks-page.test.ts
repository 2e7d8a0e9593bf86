import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../../scripts/run-command.ts';
import { addressText } from '../../../src/domain/ip-text.ts';
import { octetsOf } from '../../../src/domain/octets.ts';
import { match } from '../../../src/rules/match.ts';
import { requestAddress } from '../../../src/rules/networks/request-address.ts';
import { rulesOf } from '../../support/limiter-fixture.ts';
import { descriptor } from '../../support/requests.ts';
import { codeBlocks, codeIn, readText, root, sectionOf, tableRows } from './repository.ts';

const page = readText('docs/networks.md');
const weir = async (args: readonly string[]) =>
  (await runCommand(process.execPath, [join(root, 'bin/weir.js'), ...args], { cwd: root })).output;

describe('docs/networks.md', () => {
  it('has rules that are taken', () => {
    for (const block of codeBlocks(page, 'yaml')) rulesOf(block);
  });

  const texts = tableRows(sectionOf(page, '## Which texts are one address')).flatMap(
    ([values = '', read = '']) => {
      const found = codeIn(read);
      return codeIn(values).map(
        (value, index) => [value, found.length > 1 ? found[index && 1] : found[0]] as const,
      );
    },
  );
  it.each(texts)('reads %j as %s', (value, read) => {
    const address = requestAddress(octetsOf(value));
    expect(address && addressText(address)).toBe(read);
  });

  const table = sectionOf(page, '## Which rule an address finds');
  it.each(tableRows(table).map(([address = '', what = '']) => [codeIn(address)[0] ?? '', what]))(
    'says what becomes of %s: %s',
    async (address, what) => {
      const args = ['-c', 'examples/networks/config', '-d', 'networks', `remote_address=${address}`];
      const explained = await weir(['explain', ...args]);
      if (what === 'exempt') expect(explained).toContain(`exempt: remote_address=${address} is in `);
      else {
        const [, path = '', amount = ''] = /^`(.*)`: (\d+ an? \w+) for /.exec(what) ?? [];
        expect(explained).toContain(`=> rule ${path} `);
        expect(explained).toContain(amount.replace(/ an? /, ' per '));
        expect(explained).not.toContain('exempt');
      }
    },
  );

  it.each(codeBlocks(page, 'sh').flatMap((block) => block.trim().split('\n')))(
    '%s works',
    async (command) => {
      expect(await weir(command.split(' ').slice(2))).toMatch(/=> rule networks\.|^exempt: /m);
    },
  );

  it.each(tableRows(sectionOf(page, '## What shares a counter')).slice(1))(
    '%s: a counter of %s',
    (said, _, key = '') => {
      const rule = codeIn(said)
        .map((text) => text.replace(/^cidrs$/, cidrsFor(key)))
        .join(', ');
      const limit = 'rate_limit: {unit: day, requests_per_unit: 1}';
      const rules = rulesOf(`domain: d\ndescriptors: [{key: remote_address, ${rule}, ${limit}}]`);
      const [domain] = rules.domains.values();
      const [, text = ''] = /==([^/`]*)/.exec(key) ?? [];
      const asked = descriptor(`remote_address=${text}`);
      const found = domain && match(domain, asked);
      expect(`{d${codeIn(key)[0]?.replaceAll('\\|', '|')}}86400`).toBe(
        found?.limits[0]?.counterKey(asked.entries).replace('v1', ''),
      );
    },
  );
});

function cidrsFor(key: string): string {
  return key.includes('192.0.2.128/28') ? 'cidrs: [192.0.2.128/28]' : 'cidrs: ["2001:db8:5::/48"]';
}

describe('examples/networks', () => {
  it('has nothing that weir check would point out', async () => {
    expect(await weir(['check', '--strict', 'examples/networks/config'])).toBe(
      '1 domain with 5 limits usable; 0 refused, 0 ignored, 0 to look at\n',
    );
  });
});
