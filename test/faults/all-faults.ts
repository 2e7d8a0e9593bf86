import { clusterFaults } from './cluster-faults.ts';
import { deployFaults } from './deploy-faults.ts';
import type { Fault } from './fault.ts';
import { redisFaults } from './redis-faults.ts';

/** In the order of the table. */
export const allFaults: readonly Fault[] = [...redisFaults, ...clusterFaults, ...deployFaults];
