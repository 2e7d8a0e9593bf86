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

  it('both ways name the same image and the same Redis', () => {
    expect(read('envoy-gateway.yaml')).toMatchObject({
      provider: { kubernetes: { rateLimitDeployment: { container: { image: imageOf('values.yaml') } } } },
      rateLimit: (read('values.yaml') as { config: { envoyGateway: { rateLimit: object } } }).config
        .envoyGateway.rateLimit,
    });
  });
});

function imageOf(file: string): string {
  return (read(file) as { global: { images: { ratelimit: { image: string } } } }).global.images.ratelimit
    .image;
}
