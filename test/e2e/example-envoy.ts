import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { codeBlocks, readText, root } from '../integration/repository/repository.ts';
import { type HttpAnswer, httpCall } from '../support/http-call.ts';
import { type RunningEnvoy, startEnvoy } from '../support/start-envoy.ts';
import { withPatience } from '../support/start-stack.ts';
import type { Upstream } from '../support/start-upstream.ts';
import type { RunningWeir } from '../support/start-weir.ts';

/** The rules that go with the example. */
export const rules = join(root, 'examples/config');

/** Those of docs/envoy.md. */
const snippets: readonly string[] = codeBlocks(readText('docs/envoy.md'), 'yaml');

const example = join(root, 'examples/envoy/envoy.yaml');

/** What the example says to give to sed, for a machine without containers. */
const onThisMachine =
  /\$\(sed -E '([^']+)' examples\/envoy\/envoy\.yaml\)/.exec(readFileSync(example, 'utf8'))?.[1] ?? '';

/** As much of a bootstrap as is looked at here. */
export interface Bootstrap {
  static_resources: {
    listeners: [{ filter_chains: [{ filters: [{ typed_config: ConnectionManager }] }] }];
    clusters: [WeirCluster];
  };
}
interface ConnectionManager {
  route_config: { virtual_hosts: [{ routes: object[] }] };
  http_filters: object[];
}
interface WeirCluster {
  name: string;
  load_assignment: { endpoints: [{ lb_endpoints: object[] }] };
}

export function connectionManagerOf(bootstrap: Bootstrap): ConnectionManager {
  return bootstrap.static_resources.listeners[0].filter_chains[0].filters[0].typed_config;
}

export function hostOf(bootstrap: Bootstrap): { routes: object[] } {
  return connectionManagerOf(bootstrap).route_config.virtual_hosts[0];
}

export function weirClusterOf(bootstrap: Bootstrap): WeirCluster {
  return bootstrap.static_resources.clusters[0];
}

/** The example on free ports, with something changed. */
export function startExample(
  { weir, upstream }: { weir: RunningWeir; upstream: Upstream },
  change: (bootstrap: Bootstrap) => void,
): Promise<RunningEnvoy> {
  const upstreamPort = upstream.address.slice(upstream.address.lastIndexOf(':') + 1);
  return startEnvoy({
    bootstrap: example,
    service: weir.address('grpc'),
    upstream: upstream.address,
    edit(text) {
      const bootstrap = parse(
        withPatience(execFileSync('sed', ['-E', onThisMachine], { input: text }).toString()).replace(
          'port_value: 3000',
          `port_value: ${upstreamPort}`,
        ),
      ) as Bootstrap;
      change(bootstrap);
      return JSON.stringify(bootstrap); // which is YAML
    },
  });
}

/** The snippet of docs/envoy.md that begins with these words. */
export function snippetOf(beginning: string): object {
  const text = snippets.find((snippet) => snippet.startsWith(beginning));
  if (text === undefined) throw new Error(`docs/envoy.md has no snippet that begins with ${beginning}`);
  return parse(text) as object;
}

export function get(envoy: RunningEnvoy, path: string, user?: string): Promise<HttpAnswer> {
  const headers = user === undefined ? {} : { 'x-user-id': user };
  return httpCall({ address: envoy.listener(10000), path, headers });
}

/** Status and limit, as the client is told. */
export function limitIn({ status, headers }: HttpAnswer): readonly unknown[] {
  return [status, headers['x-ratelimit-limit']];
}
