import { expect, it } from 'vitest';
import { createDiscoveryRequests } from './discovery-requests.ts';
import { resourceType } from './resource-type.ts';

const node = { id: 'envoy-ratelimit', metadata: new Map([['zone', 'a']]) };
const head = (versionInfo: string, nonce: string) => ({
  versionInfo,
  nonce,
  typeUrl: resourceType,
  contentVersion: '',
});

it('asks for all resources, by the name of the node and without a version', () => {
  expect(createDiscoveryRequests(node).first()).toMatchObject({
    node: { id: 'envoy-ratelimit', metadata: { zone: 'a' }, userAgentName: 'weir' },
    typeUrl: resourceType,
    resourceNames: [],
    versionInfo: '',
    responseNonce: '',
    errorDetail: undefined,
  });
});

it('acknowledges by version and nonce, and refuses with the version that was accepted last', () => {
  const requests = createDiscoveryRequests(node);
  const early = requests.nack(head('1', 'a'), ['no']);
  expect(early).toMatchObject({
    versionInfo: '',
    responseNonce: 'a',
    errorDetail: { code: 3, message: 'no' },
  });
  const ack = requests.ack(head('2', 'b'));
  expect(ack).toMatchObject({ versionInfo: '2', responseNonce: 'b', errorDetail: undefined });
  const nack = requests.nack(head('3', 'c'), ['no', 'neither']);
  expect(nack).toMatchObject({
    versionInfo: '2',
    responseNonce: 'c',
    errorDetail: { message: 'no\nneither' },
  });
});

it('cuts a list of problems that nobody would read, and says how many are left out', () => {
  const problems = Array.from({ length: 1_000 }, (_, index) => `problem ${index} ${'.'.repeat(90)}`);
  const { errorDetail } = createDiscoveryRequests(node).nack(head('1', 'a'), problems);
  expect(errorDetail?.message.length).toBeLessThan(17_000);
  expect(errorDetail?.message).toMatch(/^problem 0 .*\n\(\d+ more\)$/s);
});
