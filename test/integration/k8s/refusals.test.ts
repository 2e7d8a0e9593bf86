import { expect, it } from 'vitest';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { render } from './render.ts';

const redis = { store: 'redis', redis: { url: 'redis:6379' } };
const xds = { enabled: true, serverUrl: 'control:18001' };
const tls = { enabled: true, existingSecret: 'weir-tls' };

describeWithTools(['helm'], 'the chart refuses', () => {
  it.each<[string, object, RegExp]>([
    ['a slip at the top', { replicaCount: 2 }, /additional properties 'replicaCount' not allowed/],
    [
      'a slip further down',
      { redis: { tls: { enable: true } } },
      /'\/redis\/tls': additional properties 'enable'/,
    ],
    [
      'a word in place of a number',
      { drain: { delaySeconds: '10s' } },
      /'\/drain\/delaySeconds': got string, want integer/,
    ],
    ['a number in place of text', { settings: { MAX_MESSAGE_SIZE: 4194304 } }, /got number, want string/],
    [
      'rules that are not text',
      { config: { rules: { 'a.yaml': { domain: 'a' } } } },
      /got object, want string/,
    ],
    ['a file that Weir would not read', { config: { rules: { 'a.txt': 'x' } } }, /a\.txt/],
    ['an unknown store', { store: 'memcached' }, /'\/store': value must be one of 'memory', 'redis'/],
  ])('%s', async (_, values, message) => {
    await expect(render({ values })).rejects.toThrow(message);
  });

  it.each<[string, object, RegExp]>([
    ['Redis without an address', { store: 'redis' }, /'\/redis\/url': minLength/],
    [
      'an address and a secret with it',
      { store: 'redis', redis: { url: 'redis:6379', urlSecret: { name: 'redis' } } },
      /'\/redis\/urlSecret\/name': maxLength/,
    ],
    ['an address that nobody uses', { redis: { url: 'redis:6379' } }, /'\/redis\/url': maxLength/],
    ['several pods that count in memory', { replicas: 2 }, /'\/replicas': maximum: got 2, want 1/],
    [
      'an autoscaler of such pods',
      { autoscaling: { enabled: true } },
      /'\/autoscaling\/enabled': value must be false/,
    ],
    [
      'a second Redis without an address',
      { ...redis, redis: { url: 'a:1', perSecond: { enabled: true } } },
      /perSecond\/url/,
    ],
    [
      'a client certificate for Redis without TLS',
      { ...redis, redis: { url: 'a:1', tls: { clientCertificate: true } } },
      /'\/redis\/tls\/enabled': value must be true/,
    ],
    ['xDS without a server', { config: { xds: { enabled: true } } }, /'\/config\/xds\/serverUrl': minLength/],
    [
      'xDS and rules',
      { config: { xds, rules: { 'a.yaml': 'domain: a' } } },
      /'\/config\/rules': maxProperties/,
    ],
    [
      'xDS and a ConfigMap',
      { config: { xds, existingConfigMap: 'rules' } },
      /'\/config\/existingConfigMap': maxLength/,
    ],
    [
      'a ConfigMap and rules',
      { config: { existingConfigMap: 'rules', rules: { 'a.yaml': 'domain: a' } } },
      /'\/config\/rules': maxProperties/,
    ],
    [
      'TLS without a certificate',
      { grpc: { tls: { enabled: true } } },
      /'\/grpc\/tls\/existingSecret': minLength/,
    ],
    [
      'two certificates',
      { grpc: { tls: { ...tls, certManager: { enabled: true, issuerRef: { name: 'a' } } } } },
      /'\/grpc\/tls': 'oneOf' failed, subschemas 0, 1 matched/,
    ],
    [
      'client certificates without TLS',
      { grpc: { tls: { clientCertificates: { required: true } } } },
      /'\/grpc\/tls\/enabled'/,
    ],
    [
      'Sentinels that the network policy cuts off',
      {
        ...redis,
        redis: { type: 'sentinel', url: 'main,a:26379' },
        networkPolicy: { enabled: true },
      },
      /networkPolicy\.redis\.ports must hold 26379/,
    ],
    [
      'an autoscaler that has nothing to compare with',
      { ...redis, autoscaling: { enabled: true }, resources: { requests: { cpu: null } } },
      /autoscaling needs resources\.requests\.cpu/,
    ],
    [
      'two monitors, which would count everything twice',
      { serviceMonitor: { enabled: true }, podMonitor: { enabled: true } },
      /'not' failed/,
    ],
    [
      'a sidecar with a Service to scrape',
      { form: 'sidecar', serviceMonitor: { enabled: true } },
      /'\/serviceMonitor\/enabled'/,
    ],
    [
      'a sidecar with TLS on its socket',
      { form: 'sidecar', grpc: { tls } },
      /'\/grpc\/tls\/enabled': value must be false/,
    ],
    ['a drain that is all delay', { drain: { delaySeconds: 25 } }, /drain\.delaySeconds is a part of/],
    [
      'a kill before the drain has ended',
      { terminationGracePeriodSeconds: 25 },
      /must be above drain\.deadlineSeconds/,
    ],
    [
      'fewer pods at most than at least',
      { ...redis, autoscaling: { enabled: true, minReplicas: 5, maxReplicas: 4 } },
      /minReplicas must not be above/,
    ],
    [
      'a variable that has a value of its own',
      { settings: { DRAIN_DELAY: '5s' } },
      /settings\.DRAIN_DELAY: the chart sets/,
    ],
    [
      'the same among further variables',
      { extraEnv: [{ name: 'PORT', value: '1' }] },
      /extraEnv: PORT is set/,
    ],
  ])('%s', async (_, values, message) => {
    await expect(render({ values })).rejects.toThrow(message);
  });
});
