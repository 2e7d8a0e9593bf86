import { readSettings } from '../../src/settings/read-settings.ts';
import type { TransportLimits } from '../../src/transport/transport-limits.ts';

/** The limits that hold by default, but for what a test wants otherwise. */
export function transportLimits(parts: Partial<TransportLimits> = {}): TransportLimits {
  const result = readSettings({ BACKEND_TYPE: 'memory' });
  if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  return { ...result.settings.grpc.limits, ...parts };
}

/** The transport that a project of vitest.config.ts is about. */
export const testedTransport = process.env['GRPC_TRANSPORT'] === 'grpc-js' ? 'grpc-js' : 'native';
