import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { codeBlocks, readText } from './repository.ts';

const files = ['envoy-gateway.yaml', 'values.yaml'];
const read = (file: string) => parse(readText(`examples/envoy-gateway/${file}`)) as object;

describe('docs/envoy-gateway.md', () => {
  it.each(files.map((file, index) => [file, index] as const))('shows what stands in %s', (file, index) => {
    const snippets = codeBlocks(readText('docs/envoy-gateway.md'), 'yaml').map(
      (text) => parse(text) as object,
    );
    expect(snippets).toHaveLength(files.length);
    expect(read(file)).toMatchObject(snippets[index] ?? {});
  });

  it('policy.yaml makes a route refuse the sixth request of a minute, as docs/install.md says', () => {
    expect(read('policy.yaml')).toMatchObject({
      kind: 'BackendTrafficPolicy',
      spec: {
        targetRefs: [{ kind: 'HTTPRoute', name: 'backend' }],
        rateLimit: { type: 'Global', global: { rules: [{ limit: { requests: 5, unit: 'Minute' } }] } },
      },
    });
  });

  it('both ways name the same image, and the second leaves everything else', () => {
    const { global } = read('values.yaml') as { global: { images: { ratelimit: { image: string } } } };
    const { image } = global.images.ratelimit;
    expect(read('values.yaml')).toEqual({ global: { images: { ratelimit: { image } } } });
    expect(read('envoy-gateway.yaml')).toMatchObject({
      provider: { kubernetes: { rateLimitDeployment: { container: { image } } } },
    });
  });
});
