import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';

/** As much of a service as the examples use, in the one of Compose's forms that they use. */
export interface ComposeService {
  readonly image: string;
  /** The folder with the Dockerfile. */
  readonly build?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** `place on this machine:place in the container:ro`. */
  readonly volumes?: readonly string[];
  /** `address:port of this machine:port of the container`. */
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

export interface ComposeFile {
  /** Where its paths begin. */
  readonly directory: string;
  readonly services: Readonly<Record<string, ComposeService>>;
}

export function readComposeFile(path: string): ComposeFile {
  const { services } = parse(readFileSync(path, 'utf8')) as Pick<ComposeFile, 'services'>;
  return { directory: dirname(path), services };
}

export interface Mount {
  readonly source: string;
  readonly target: string;
}

export function mountsOf({ volumes = [] }: ComposeService, directory: string): Mount[] {
  return volumes.map((volume) => {
    const [source = '', target = ''] = volume.split(':');
    return { source: resolve(directory, source), target };
  });
}

/** Names of the services, each after those that it depends on. */
export function inOrder(services: ComposeFile['services']): string[] {
  const ordered: string[] = [];
  const add = (name: string) => {
    if (ordered.includes(name)) return;
    for (const other of Object.keys(services[name]?.depends_on ?? {})) add(other);
    ordered.push(name);
  };
  for (const name of Object.keys(services)) add(name);
  return ordered;
}
