import { expect, it, onTestFinished } from 'vitest';
import { startMetricsServer } from '../../../src/server/http/metrics-server.ts';
import { httpCall } from '../../support/http-call.ts';
import { startDebugEdge } from './start-debug.ts';
import { createParts, httpOptions, neverAnswers, startHttpEdge } from './start-edges.ts';

/** What browsers send for a page of another site. */
const foreign = {
  origin: 'https://evil.example',
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type',
  'access-control-request-private-network': 'true',
};

async function startMetrics(): Promise<{ readonly address: string }> {
  const metricsText = async () => ({ contentType: 'text/plain', body: 'up 1\n' });
  const listener = await startMetricsServer({
    ...httpOptions(createParts(neverAnswers)),
    path: '/metrics',
    metricsText,
  });
  onTestFinished(() => listener.stop(0));
  return listener;
}

it.each([
  [
    'HTTP',
    () => startHttpEdge(),
    ['/json', '/check', '/metrics', '/healthcheck', '/livez', '/readyz', '/none'],
  ],
  ['debug', () => startDebugEdge(), ['/', '/rlconfig', '/counters/get', '/counters/reset', '/none']],
  ['metrics', startMetrics, ['/metrics', '/none']],
] as const)(
  'X06: the %s listener lets no page of another site read an answer',
  async (_name, start, paths) => {
    const { address } = await start();
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const { headers } = await httpCall({ address, path, method, headers: foreign });
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    }
  },
);
