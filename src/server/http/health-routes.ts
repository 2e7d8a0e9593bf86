import type { FastifyInstance } from 'fastify';
import type { Health } from '../../health.ts';

/**
 * `/livez`: the process answers. `/readyz`: it should get requests, or else what is missing. `/healthcheck`: the same in the
 * reference's form.
 */
export function addHealthRoutes(app: FastifyInstance, health: Health): void {
  app.get('/livez', (_request, reply) => reply.type('text/plain').send('OK'));
  app.get('/readyz', (_request, reply) => {
    const down = health.down();
    if (down.length === 0) return reply.type('text/plain').send('OK');
    return reply
      .code(503)
      .type('text/plain')
      .send(`not ready: ${down.join(', ')}\n`);
  });
  app.get('/healthcheck', (_request, reply) =>
    health.isReady() ? reply.type('text/plain').send('OK') : reply.code(500).send(),
  );
}
