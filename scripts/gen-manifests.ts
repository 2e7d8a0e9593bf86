/**
 * Writes `k8s/manifests/`: what the chart makes of two sets of values, for those who do not use Helm. It needs the `helm`
 * that `scripts/setup-tools.ts` builds, and so is no part of `npm run gen`.
 *
 *     node scripts/gen-manifests.ts
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { requireTool } from '../test/support/tools.ts';
import { runCommand } from './run-command.ts';

interface Manifest {
  /** What it is for. */
  readonly purpose: string;
  /** Values of the chart. */
  readonly values: Readonly<Record<string, string>>;
}

const namespace = 'weir';

/** By name of the file. */
export const manifests: Readonly<Record<string, Manifest>> = {
  'memory.yaml': { purpose: 'One pod that counts in memory, for trying out.', values: {} },
  'redis.yaml': {
    purpose: 'Two pods that count in the Redis at redis:6379 of the same namespace.',
    values: { store: 'redis', 'redis.url': 'redis:6379', 'service.headless': 'true' },
  },
};

const chart = fileURLToPath(new URL('../k8s/chart/', import.meta.url));
const folder = new URL('../k8s/manifests/', import.meta.url);

/** A manifest as it should be. Throws what Helm says if it fails. */
export async function renderManifest(file: string): Promise<string> {
  const { purpose, values } = manifests[file] as Manifest;
  const set = Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const args = ['template', 'weir', chart, '--namespace', namespace, '--kube-version', '1.37.0', ...set];
  const { ok, output } = await runCommand(requireTool('helm'), args);
  if (!ok) throw new Error(output);
  const head = [
    `# ${purpose} The rules are in the ConfigMap weir-rules.`,
    '#',
    `#   kubectl create namespace ${namespace}`,
    `#   kubectl apply -f k8s/manifests/${file}`,
    '#',
    '# Made of k8s/chart by `node scripts/gen-manifests.ts`. Change that, not this.',
  ];
  return `${head.join('\n')}\n${withoutHelm(output)}`;
}

/** Without what is about Helm: these objects have no release. */
function withoutHelm(text: string): string {
  const isHelms = /^(# Source: |\s+helm\.sh\/chart: |\s+app\.kubernetes\.io\/managed-by: )/;
  const lines = text.split('\n');
  return lines.filter((line) => !isHelms.test(line)).join('\n');
}

if (import.meta.main) {
  for (const file of Object.keys(manifests)) writeFileSync(new URL(file, folder), await renderManifest(file));
}
