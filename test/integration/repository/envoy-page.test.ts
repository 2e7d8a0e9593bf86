import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readSettings } from '../../../src/settings/read-settings.ts';
import { codeBlocks, readText } from './repository.ts';

interface Deployment {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly [
          {
            readonly env: readonly { readonly name: string; readonly value: string }[];
            readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
            readonly volumeMounts: readonly [{ readonly mountPath: string }];
          },
        ];
      };
    };
  };
}

/** The Deployment of docs/envoy.md. */
function deployment(): Deployment {
  const text = codeBlocks(readText('docs/envoy.md'), 'yaml').find((block) =>
    block.includes('kind: Deployment'),
  );
  return parseAllDocuments(text ?? '')[0]?.toJS() as Deployment;
}

/** Of Istio's sample Deployment of the reference. */
const sampleEnv = {
  LOG_LEVEL: 'debug',
  REDIS_SOCKET_TYPE: 'tcp',
  REDIS_URL: 'redis:6379',
  USE_STATSD: 'false',
  RUNTIME_ROOT: '/data',
  RUNTIME_SUBDIRECTORY: 'ratelimit',
  RUNTIME_WATCH_ROOT: 'false',
  RUNTIME_IGNOREDOTFILES: 'true',
  HOST: '::',
  GRPC_HOST: '::',
};

describe('docs/envoy.md, Istio', () => {
  it('the Deployment starts Weir without a warning, with the rules where they are mounted', () => {
    const [{ env, ports, volumeMounts }] = deployment().spec.template.spec.containers;
    const read = readSettings(Object.fromEntries(env.map(({ name, value }) => [name, value])));
    expect(read).toMatchObject({
      warnings: [],
      settings: {
        config: { directory: volumeMounts[0].mountPath },
        store: { kind: 'redis' },
        http: { host: '::', port: ports.find(({ name }) => name === 'http')?.containerPort },
        grpc: { listen: { host: '::', port: ports.find(({ name }) => name === 'grpc')?.containerPort } },
      },
    });
  });

  it("the variables of Istio's sample work, with the one warning that is named", () => {
    const read = readSettings(sampleEnv);
    expect(read).toMatchObject({ settings: { config: { directory: '/data/ratelimit/config' } } });
    expect(read.warnings.map(({ variable }) => variable)).toEqual(['RUNTIME_WATCH_ROOT']);
  });
});
