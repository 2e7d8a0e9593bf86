import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningWeir, startWeir } from '../../support/start-weir.ts';
import { type ConfigMap, createConfigMap } from '../config/config-map.ts';
import { root } from '../repository/repository.ts';
import type { Rendered } from './render.ts';

type Files = Readonly<Record<string, string>>;

export interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
}

export interface Container {
  readonly name: string;
  readonly command?: readonly string[];
  readonly env?: readonly EnvVar[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

export interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string };
  readonly grpc?: { readonly port: number };
}

export interface Volume {
  readonly name: string;
  readonly configMap?: { readonly name: string };
  readonly secret?: { readonly secretName: string };
  readonly emptyDir?: object;
}

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Volume[];
  readonly terminationGracePeriodSeconds?: number;
}

/** What only a cluster has. */
export interface Cluster {
  /** Secrets, and ConfigMaps that are not among the objects, by name. */
  readonly data?: Readonly<Record<string, Files>>;
}

/** A container's volumes in a folder of the machine, in which `/etc/weir/rules` is `<folder>/etc/weir/rules`. */
export interface Mounts extends AsyncDisposable {
  readonly folder: string;
  /** The volume of a ConfigMap or secret, to be changed as the kubelet does. */
  volume(name: string): ConfigMap;
}

/** A pod among the objects of its cluster. */
export interface Pod {
  readonly spec: PodSpec;
  readonly objects: Rendered;
}

/** The pod of a Deployment, of the only one or by name. */
export function podOf(objects: Rendered, deployment?: string): Pod {
  const { spec } = objects.find<{ spec: { template: { spec: PodSpec } } }>('Deployment', deployment);
  return { spec: spec.template.spec, objects };
}

/** The container with this name; also one that is an init container, as sidecars are. */
export function containerOf({ spec }: Pod, name = 'weir'): Container {
  const found = [...spec.containers, ...(spec.initContainers ?? [])].find((it) => it.name === name);
  if (found === undefined) throw new Error(`no container ${name}`);
  return found;
}

/** The environment as the kubelet makes it. Throws for a secret that is not there. */
export function environmentOf({ env = [] }: Container, { data = {} }: Cluster = {}): Record<string, string> {
  return Object.fromEntries(
    env.map(({ name, value = '', valueFrom }) => {
      if (valueFrom === undefined) return [name, value];
      const { name: secret, key } = valueFrom.secretKeyRef;
      return [name, fileOf(data, secret)[key] ?? missing(`${secret}/${key}`)];
    }),
  );
}

/** Writes the volumes that a container has, where it has them. */
export async function mountVolumes(pod: Pod, container: Container, cluster: Cluster = {}): Promise<Mounts> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-pod-'));
  const { volumes = [] } = pod.spec;
  const written = new Map<string, ConfigMap>();
  for (const { name, mountPath } of container.volumeMounts ?? []) {
    const volume = volumes.find((it) => it.name === name) ?? missing(`the volume ${name}`);
    const directory = join(folder, mountPath);
    await mkdir(directory, { recursive: true });
    const files = filesOf(volume, pod.objects, cluster);
    if (files === undefined) continue;
    const content = createConfigMap(directory);
    await content.publish(files);
    written.set(name, content);
  }
  return {
    folder,
    volume: (name) => written.get(name) ?? missing(`the volume ${name}`),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/**
 * Starts Weir from a container's environment and command. Paths lead into the folder of its mounts, ports are free ones, and
 * it drains for no time; all else is as it was rendered.
 */
export function startContainer(
  container: Container,
  mounts: Mounts,
  cluster: Cluster = {},
): Promise<RunningWeir> {
  const env = Object.entries(environmentOf(container, cluster)).map(([name, value]) => [
    name,
    value.startsWith('/') ? join(mounts.folder, value) : value,
  ]);
  const moved = { PORT: '0', DEBUG_PORT: '0', DRAIN_DELAY: '0s' };
  const grpc = env.some(([name]) => name === 'GRPC_UDS')
    ? { GRPC_HOST: '', GRPC_PORT: '' }
    : { GRPC_PORT: '0' };
  // What startWeir would set besides.
  const unset = { RUNTIME_ROOT: '', RUNTIME_SUBDIRECTORY: '', RUNTIME_APPDIRECTORY: '' };
  return startWeir({
    rules: mounts.folder,
    env: { ...unset, ...Object.fromEntries(env), ...moved, ...grpc },
    // The image's entry point, which the chart leaves alone and Istio's sample names.
    program: join(root, container.command?.[0] ?? '/bin/ratelimit').concat('.js'),
  });
}

function filesOf(volume: Volume, objects: Rendered, { data = {} }: Cluster): Files | undefined {
  if (volume.emptyDir !== undefined) return undefined;
  if (volume.secret !== undefined) return fileOf(data, volume.secret.secretName);
  const name = volume.configMap?.name ?? missing(`a kind of volume: ${JSON.stringify(volume)}`);
  return data[name] ?? objects.find<{ data: Files }>('ConfigMap', name).data;
}

function fileOf(data: Readonly<Record<string, Files>>, name: string): Files {
  return data[name] ?? missing(`the secret ${name}`);
}

function missing(what: string): never {
  throw new Error(`the pod would not start, for it lacks ${what}`);
}
