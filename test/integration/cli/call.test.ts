import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { baseRules } from '../../support/case-rules.ts';
import { httpCall } from '../../support/http-call.ts';
import { startProcess } from '../../support/start-process.ts';
import { startWeir } from '../../support/start-weir.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { runWeir } from './run-weir.ts';

const binary = fileURLToPath(new URL('../../../bin/weir.js', import.meta.url));

const memory = { BACKEND_TYPE: 'memory' };
const none = `
domain: shop
descriptors:
  - {key: none, metadata: {tier: [1, {a: true}]}, rate_limit: {unit: day, requests_per_unit: 0}}
  - {key: free, metadata: {tier: [1, {a: true}]}, rate_limit: {unlimited: true}}
`;

describe('weir call', () => {
  it('shows the decision, the limits and what remains', async () => {
    await using weir = await startWeir({ rules: { 'shop.yaml': baseRules }, env: memory });
    const call = (...args: string[]) => runWeir(['call', '-t', weir.address('grpc'), '-d', 'shop', ...args]);
    const first = await call('plan=free', 'none=x');
    expect(first.status).toBe(0);
    expect(first.out).toMatch(
      /^OK\n {2}plan=free: OK, 4 of 5 per minute left, anew in \d+ s\n {2}none=x: OK, no limit$/,
    );
    const denied = await call('--hits', '9', 'plan=free');
    expect(denied.status).toBe(1);
    expect(denied.out).toContain('OVER_LIMIT');
  });

  it('shows the headers and the body that a client would get', async () => {
    const env = { ...memory, LIMIT_RESPONSE_HEADERS_ENABLED: 'true', DENIAL_BODY: 'json' };
    await using weir = await startWeir({ rules: { 'shop.yaml': none }, env });
    const { out } = await runWeir(['call', '-t', weir.address('grpc'), '-d', 'shop', 'none=x']);
    expect(out).toMatch(/^OVER_LIMIT\n {2}none=x: OVER_LIMIT, 0 of 0 per day left, anew in \d+ s\n/);
    expect(out).toMatch(/\n {2}RateLimit-Limit: 0/);
    expect(out).toMatch(/\n\n\{"error":"rate_limit_exceeded",.*\}$/);
  });

  it.each(['none=x', 'free=x'])('--output json: what /json says of %s', async (descriptor) => {
    const env = {
      ...memory,
      LIMIT_RESPONSE_HEADERS_ENABLED: 'true',
      DENIAL_BODY: 'json',
      RESPONSE_DYNAMIC_METADATA: 'true',
    };
    await using weir = await startWeir({ rules: { 'shop.yaml': none }, env });
    const [key = '', value = ''] = descriptor.split('=');
    const body = JSON.stringify({ domain: 'shop', descriptors: [{ entries: [{ key, value }] }] });
    // Both tell the seconds that are left, which may differ by one once.
    await waitUntil('two equal answers', async () => {
      const asked = ['call', '-t', weir.address('grpc'), '-d', 'shop', '--output', 'json', descriptor];
      const { out } = await runWeir(asked);
      const json = await httpCall({ address: weir.address('http'), path: '/json', method: 'POST', body });
      expect(JSON.parse(out)).toEqual(JSON.parse(json.body));
      expect(JSON.parse(out)).toHaveProperty('dynamicMetadata.domain', 'shop');
      return true;
    });
  });

  it('takes no proxy of the environment', async () => {
    await using weir = await startWeir({ rules: { 'shop.yaml': baseRules }, env: memory });
    const args = [binary, 'call', '-t', weir.address('grpc'), '-d', 'shop', 'ip=x'];
    const proxy = 'http://127.0.0.1:1';
    const env = { http_proxy: proxy, https_proxy: proxy, grpc_proxy: proxy };
    await using child = await startProcess(process.execPath, args, { env });
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.lines[0]).toBe('OK');
  });

  it('says in one sentence why there is no answer', async () => {
    const { status, err } = await runWeir(['call', '-t', '127.0.0.1:1', '-d', 'shop', 'ip=1']);
    expect(status).toBe(2);
    expect(err).toMatch(
      /^weir call: 127\.0\.0\.1:1: UNAVAILABLE: No connection established\. .*ECONNREFUSED/,
    );
    expect(err).not.toContain('Resolution note');
  });

  it.each([
    ['--hits', '1e3', 'whole number from 0 to 4294967295'],
    ['--hits', '-1', 'whole number from 0 to 4294967295'],
    ['--hits', '4294967296', 'whole number from 0 to 4294967295'],
    ['--timeout', '0', 'whole number from 1 to 3600000'],
    ['--timeout', '3600001', 'whole number from 1 to 3600000'],
    ['--timeout', '1s', 'whole number from 1 to 3600000'],
  ])('refuses %s %s with the range', async (option, value, sentence) => {
    const { status, err } = await runWeir(['call', '-d', 'shop', option, value, 'ip=1']);
    expect(status).toBe(2);
    expect(err).toContain(`option '${option}`);
    expect(err).toContain(sentence);
  });
});
