import { expect, it } from 'vitest';
import { rulesOf } from '../../test/support/limiter-fixture.ts';
import { createLogger } from '../log.ts';
import { createConfigLog } from './config-log.ts';

const file = (domain: string, options: string) => `domain: ${domain}\n${options}\ndescriptors: []\n`;
const rules = rulesOf(file('open', ''), file('closed', 'clients: [a.test]'), file('shut', 'clients: []'));
const none: never[] = [];

/** The lines of one load after the first, which tells its result. */
function warnings(clientsHaveNames: boolean, kind: 'applied' | 'rejected', inForce = rules) {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  const log = createLogger({ level: 'info', format: 'json', destination });
  const logConfig = createConfigLog({ log, clientsHaveNames });
  logConfig({ source: 'file', result: { kind, version: 'v', issues: none }, news: none }, inForce);
  return lines.slice(1).map((line) => JSON.parse(line));
}

it('warns of domains that nobody can use, as clients show no certificate', () => {
  expect(warnings(false, 'applied')).toMatchObject([
    {
      level: 'warning',
      '@message': expect.stringContaining('GRPC_CLIENT_TLS_CACERT'),
      domains: ['closed', 'shut'],
      count: 2,
    },
  ]);
});

it('names ten domains of many', () => {
  const many = Array.from({ length: 30 }, (_, index) => file(`domain${index}`, 'clients: [a]'));
  const [line] = warnings(false, 'applied', rulesOf(...many));
  expect(line.domains).toHaveLength(10);
  expect(line.count).toBe(30);
});

it('says nothing where they show one, where no domain has a list, or where nothing is new', () => {
  expect(warnings(true, 'applied')).toEqual([]);
  expect(warnings(false, 'applied', rulesOf(file('open', '')))).toEqual([]);
  expect(warnings(false, 'rejected')).toEqual([]);
});
