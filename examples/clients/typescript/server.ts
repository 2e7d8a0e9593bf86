/**
 * A service that asks Weir about every request. With `npm start` in the repository:
 *
 *     LIMIT_RESPONSE_HEADERS_ENABLED=true LIMIT_RESPONSE_HEADERS_STYLE=x-ratelimit DENIAL_BODY=json npm start
 *     PORT=3000 node examples/clients/typescript/server.ts
 *     curl -i http://127.0.0.1:3000/ -H 'x-user-id: ann'
 */
import { type FastifyRequest, fastify } from 'fastify';
import { createRateLimit, type Descriptor } from './rate-limit.ts';

const { WEIR = 'localhost:8081', PORT = '3000', DEADLINE_MS = '20', FAIL_CLOSED = '' } = process.env;

/** The address of the client and its user: two limits, as in examples/config. */
function describe(request: FastifyRequest): Descriptor[] {
  const descriptors: Descriptor[] = [[['remote_address', request.ip]]];
  // In a real service, whoever was authenticated; what clients send in a header they can choose.
  const user = request.headers['x-user-id'];
  // Node gives a character for each octet of a header.
  if (typeof user === 'string') descriptors.push([['user', Buffer.from(user, 'latin1').toString()]]);
  return descriptors;
}

const limit = createRateLimit({
  target: WEIR,
  domain: 'api',
  describe,
  deadlineMs: Number(DEADLINE_MS),
  failOpen: FAIL_CLOSED === '',
});

const app = fastify();
app.addHook('onRequest', limit.onRequest);
app.addHook('onClose', limit.close);
app.get('/', async () => 'hello');
process.once('SIGTERM', () => void app.close());
const address = await app.listen({ host: '127.0.0.1', port: Number(PORT) });
console.log(`listening on ${new URL(address).host}`);
