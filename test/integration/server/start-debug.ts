import { onTestFinished } from 'vitest';
import { createTokenCheck } from '../../../src/server/http/bearer-token.ts';
import { type DebugServerOptions, startDebugServer } from '../../../src/server/http/debug-server.ts';
import { createJsonCodec } from '../../../src/server/http/json-codec.ts';
import { loadProtoRegistry } from '../../../src/server/proto-registry.ts';
import { allow, createParts, httpOptions } from './start-edges.ts';

export const debugToken = 'correct-horse-battery-staple';

export interface DebugEdge {
  readonly address: string;
  readonly port: number;
  readonly stop: (deadlineMs: number) => Promise<void>;
  /** Lines of the log. */
  readonly lines: Record<string, unknown>[];
}

/** The debug listener on a free port of the loopback address, until the test ends. Anybody may read it, unless told otherwise. */
export async function startDebugEdge(
  options: Partial<Omit<DebugServerOptions, 'token'>> & { readonly token?: string } = {},
): Promise<DebugEdge> {
  const parts = createParts(async (request) => allow(request));
  const { token, ...others } = options;
  const listener = await startDebugServer({
    ...httpOptions(parts),
    tls: undefined,
    token: token === undefined ? undefined : createTokenCheck(token),
    onlyThisMachine: false,
    rlconfig: () => 'the rules\n',
    codec: createJsonCodec({ registry: loadProtoRegistry(), bounds: parts.bounds }),
    counters: {
      administer: async ({ domain, descriptor: { entries } }) => {
        return { kind: 'report', domain, entries, found: 'unmatched', rule: undefined, counters: [] };
      },
      onChange: () => {},
    },
    ...others,
  });
  onTestFinished(() => listener.stop(0));
  return { ...listener, lines: parts.lines };
}
