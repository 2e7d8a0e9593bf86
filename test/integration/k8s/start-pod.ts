import { onTestFinished } from 'vitest';
import type { RunningWeir } from '../../support/start-weir.ts';
import {
  type Cluster,
  type Container,
  containerOf,
  type Mounts,
  mountVolumes,
  podOf,
  startContainer,
} from './pod.ts';
import { type Release, render } from './render.ts';

export interface StartedPod {
  readonly weir: RunningWeir;
  readonly container: Container;
  readonly mounts: Mounts;
}

/** Weir from the environment, command and mounts of a release's pod. It ends with the test. */
export async function startPod(release: Release, cluster: Cluster = {}): Promise<StartedPod> {
  const pod = podOf(await render(release));
  const container = containerOf(pod);
  const mounts = await mountVolumes(pod, container, cluster);
  onTestFinished(() => mounts[Symbol.asyncDispose]());
  const weir = await startContainer(container, mounts, cluster);
  onTestFinished(async () => void (await weir.stop()));
  return { weir, container, mounts };
}
