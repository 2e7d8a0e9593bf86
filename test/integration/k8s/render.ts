import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { runCommand } from '../../../scripts/run-command.ts';
import { requireTool } from '../../support/tools.ts';
import { root } from '../repository/repository.ts';

/** As much of an object as all have. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

export interface Release {
  /** `weir` unless given. */
  readonly name?: string;
  /** `limits` unless given. */
  readonly namespace?: string;
  readonly values?: object;
  /** A folder with a chart; `k8s/chart` unless given. */
  readonly chart?: string;
}

/** What Helm makes of the chart. */
export interface Rendered {
  readonly text: string;
  readonly objects: readonly KubernetesObject[];
  /** The object of a kind, of the only one or by name. Throws where there is none. */
  find<T extends object>(kind: string, name?: string): KubernetesObject & T;
}

/** Helm refused the values, or the chart. */
export class NotRendered extends Error {}

/** The version that `kubernetes-validate` has schemas of; Helm takes an old one unless it is told. */
export const kubernetesVersion = '1.37.0';

/** `helm template`, which talks to no cluster. Rejects with {@link NotRendered} and Helm's own words. */
export async function render({ name = 'weir', namespace = 'limits', values = {}, chart }: Release = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'weir-values-'));
  try {
    const file = join(folder, 'values.json');
    await writeFile(file, JSON.stringify(values));
    const args = ['template', name, chart ?? join(root, 'k8s/chart'), '--namespace', namespace];
    const version = ['--kube-version', kubernetesVersion];
    const { ok, output } = await runCommand(requireTool('helm'), [...args, ...version, '--values', file]);
    if (!ok) throw new NotRendered(output);
    return readObjects(output);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Objects of a text with several documents, as the API server reads them: in YAML 1.1, where 0440 is octal. */
export function readObjects(text: string): Rendered {
  const documents = parseAllDocuments(text, { version: '1.1' });
  for (const { errors } of documents) if (errors[0] !== undefined) throw errors[0];
  const objects = documents.map((document) => document.toJS() as KubernetesObject | null);
  const present = objects.filter((object) => object !== null);
  return {
    text,
    objects: present,
    find<T extends object>(kind: string, name?: string) {
      const found = present.filter(
        (it) => it.kind === kind && (name ?? it.metadata.name) === it.metadata.name,
      );
      if (found.length !== 1) throw new Error(`${found.length} objects of the kind ${kind}, ${name ?? ''}`);
      return found[0] as KubernetesObject & T;
    },
  };
}
