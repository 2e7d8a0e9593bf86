import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { stringify } from 'yaml';
import { runCommand } from '../../../scripts/run-command.ts';
import { requireTool } from '../../support/tools.ts';
import { customResources } from './custom-resources.ts';
import { type KubernetesObject, kubernetesVersion } from './render.ts';

const ajv = new Ajv({ strict: true });
const validators = new Map(
  Object.entries(customResources).map(([type, spec]) => [
    type,
    ajv.compile({
      type: 'object',
      additionalProperties: false,
      required: ['apiVersion', 'kind', 'metadata', 'spec'],
      properties: { apiVersion: {}, kind: {}, metadata: { type: 'object' }, spec },
    }),
  ]),
);

/** What is wrong with objects: fields that do not exist count. Empty if nothing is. */
export async function problemsOf(objects: readonly KubernetesObject[]): Promise<string[]> {
  const custom = objects.filter((object) => validators.has(typeOf(object)));
  const known = objects.filter((object) => !custom.includes(object));
  return [...custom.flatMap(problemsOfCustom), ...(await problemsOfKnown(known))];
}

function typeOf({ apiVersion, kind }: KubernetesObject): string {
  return `${apiVersion}/${kind}`;
}

function problemsOfCustom(object: KubernetesObject): string[] {
  const validate = validators.get(typeOf(object));
  if (validate === undefined || validate(object)) return [];
  return [`${typeOf(object)}: ${ajv.errorsText(validate.errors)}`];
}

/** By the schemas of Kubernetes itself. A kind that they do not have is a problem. */
async function problemsOfKnown(objects: readonly KubernetesObject[]): Promise<string[]> {
  if (objects.length === 0) return [];
  const folder = await mkdtemp(join(tmpdir(), 'weir-objects-'));
  try {
    const file = join(folder, 'objects.yaml');
    await writeFile(file, objects.map((object) => `---\n${stringify(object, { version: '1.1' })}`).join(''));
    const args = ['--strict', '--quiet', '--kubernetes-version', kubernetesVersion, file];
    const { ok, output } = await runCommand(requireTool('kubernetes-validate'), args);
    return ok ? [] : [output];
  } finally {
    await rm(folder, { recursive: true });
  }
}
