import { clusterFaults } from './cluster-faults.ts';
import { exactnessFaults } from './exactness-faults.ts';
import type { Fault } from './fault.ts';
import { loadFaults } from './load-faults.ts';
import { redisFaults } from './redis-faults.ts';
import { replicaFaults } from './replica-faults.ts';
import { rolloutFaults } from './rollout-faults.ts';
import { securityFaults } from './security-faults.ts';
import { soakFaults } from './soak-faults.ts';

/** In the order of the table. */
export const allFaults: readonly Fault[] = [
  ...redisFaults,
  ...clusterFaults,
  ...rolloutFaults,
  ...replicaFaults,
  ...loadFaults,
  ...securityFaults,
  ...exactnessFaults,
  ...soakFaults,
];
