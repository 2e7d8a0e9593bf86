import type { FastifyInstance } from 'fastify';

/** The metrics as a scraper wants them. */
export interface MetricsText {
  readonly contentType: string;
  readonly body: string;
}

export function addMetricsRoute(
  app: FastifyInstance,
  path: string,
  metricsText: () => Promise<MetricsText>,
): void {
  app.get(path, async (_request, reply) => {
    const { contentType, body } = await metricsText();
    return reply.header('content-type', contentType).send(body);
  });
}
