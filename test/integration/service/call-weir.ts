import { createGrpcClient, type GrpcAnswer, shouldRateLimit } from '../../support/grpc-client.ts';
import { httpCall } from '../../support/http-call.ts';
import type { RunningWeir } from '../../support/start-weir.ts';

/** A request of the domain `shop`: each descriptor is `key=value`, or several of these with a comma between them. */
export function requestOf(...descriptors: string[]) {
  return {
    domain: 'shop',
    descriptors: descriptors.map((text) => ({
      entries: text.split(',').map((entry) => {
        const [key, value] = entry.split('=');
        return { key, value };
      }),
    })),
  };
}

/** One ShouldRateLimit on a connection of its own. */
export async function callWeir(weir: RunningWeir, ...descriptors: string[]): Promise<GrpcAnswer> {
  const address = weir.address('grpc');
  const client = createGrpcClient(address.startsWith('/') ? `unix:${address}` : address);
  try {
    return await client.call(shouldRateLimit, requestOf(...descriptors));
  } finally {
    client.close();
  }
}

export async function statusOf(address: string, path: string): Promise<number> {
  return (await httpCall({ address, path })).status;
}

/** What `/readyz` says. */
export async function readiness(weir: RunningWeir): Promise<string> {
  return (await httpCall({ address: weir.address('http'), path: '/readyz' })).body.trim();
}
