import { expect, it, onTestFinished } from 'vitest';
import { checkHealth, createGrpcClient } from '../support/grpc-client.ts';
import { requireTool } from '../support/tools.ts';
import { describeEachPort } from './describe-each-port.ts';
import { runProgram } from './run-program.ts';

/** Release 2.2.1: Go modules know no later one, as those have no path that ends in their major version. 2.6.0 has 147. */
const everyCase = '146 tests, 146 passed, 0 skipped, 0 failed';

// grpc-js is not held to it: Node's HTTP/2 fails about ten of the cases.
describeEachPort(['h2spec'], { transports: ['native'] }, (port, { isTls }) => {
  it.each([
    ['a path that is no method', '/'],
    ['the path of a method', '/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit'],
  ])('h2spec --strict, %s', async (_what, path) => {
    const [host = '', portNumber = ''] = port().address.split(':');
    const options = ['--strict', '--host', host, '--port', portNumber, '--path', path];
    if (isTls) options.push('--tls', '--insecure'); // it has no option for an authority
    const { stdout } = await runProgram(requireTool('h2spec'), options);
    const text = stdout.toString();
    expect(text.trim().split('\n').at(-1), failuresIn(text)).toBe(everyCase);
  });

  it('answers calls after all that', async () => {
    const { address, channelCredentials } = port();
    const client = createGrpcClient(address, { channelCredentials });
    onTestFinished(() => client.close());
    await expect(client.call(checkHealth, {})).resolves.toEqual({ response: { status: 'SERVING' } });
  });
});

/** What h2spec says of the cases that fail, after the list of all. */
function failuresIn(text: string): string {
  const at = text.indexOf('\nFailures:');
  return at < 0 ? text.slice(-2_000) : text.slice(at);
}
