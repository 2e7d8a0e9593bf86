import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { type Stack, startStack, withPatience } from '../support/start-stack.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Envoy writes what it got for the request as dynamic metadata into a line of its output. */
function withMetadataLog(text: string): string {
  const accessLog = [
    'access_log:',
    '- name: stdout',
    '  typed_config:',
    '    "@type": type.googleapis.com/envoy.extensions.access_loggers.stream.v3.StdoutAccessLog',
    '    log_format:',
    '      text_format_source:',
    '        inline_string: "metadata %DYNAMIC_METADATA(envoy.filters.http.ratelimit)%\\n"',
  ];
  return text.replace(/^( +)codec_type: AUTO$/m, (line, indent: string) =>
    [line, ...accessLog.map((one) => indent + one)].join('\n'),
  );
}

describeWithTools(['envoy'], 'headers, body and metadata of Weir reach the client of Envoy', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({
      bootstrap: 'envoy-e2e.yaml',
      edit: (text) => withMetadataLog(withPatience(text)),
      env: {
        LIMIT_RESPONSE_HEADERS_ENABLED: 'true',
        LIMIT_LIMIT_HEADER: 'X-Calls-Allowed',
        LIMIT_REMAINING_HEADER: 'X-Calls-Left',
        LIMIT_RESET_HEADER: 'X-Calls-Renew',
        DENIAL_BODY: 'json',
        RESPONSE_DYNAMIC_METADATA: 'true',
      },
    });
  });
  afterAll(() => stack?.stop());

  it('an answer that passes carries the three headers', async () => {
    const { status, headers } = await stack.call('/header', { headers: { 'x-api-key': 'passing' } });
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'x-calls-allowed': '4', 'x-calls-left': '3' });
    expect(Number(headers['x-calls-renew'])).toBeGreaterThan(0);
    expect(headers['retry-after']).toBeUndefined();
  });

  it('a refusal carries them before those of Envoy, with Retry-After, and the body in its own type', async () => {
    const refused = await stack.call('/ip', { headers: { 'x-forwarded-for': '203.0.113.99' } });
    expect(refused.status).toBe(429);
    const names = refused.headerList.map(([name]) => name);
    const ours = ['x-calls-allowed', 'x-calls-left', 'x-calls-renew', 'retry-after'];
    expect(names.filter((name) => ours.includes(name))).toEqual(ours);
    expect(names.indexOf('retry-after')).toBeLessThan(names.indexOf('x-envoy-ratelimited'));
    expect(names.indexOf('x-envoy-ratelimited')).toBeLessThan(names.indexOf('x-ratelimit-limit'));
    expect(refused.headers['retry-after']).toBe(refused.headers['x-calls-renew']);
    expect(refused.headers['content-type']).toBe('application/json');
    expect(JSON.parse(refused.body)).toBeTypeOf('object');
  });

  it('dynamic metadata is there for the filters and logs of Envoy', async () => {
    await stack.call('/header', { headers: { 'x-api-key': 'metadata' } });
    const line = await waitUntil('the line of the access log', () =>
      stack.envoy.lines.find((one) => one.startsWith('metadata ') && one.includes('api_key=metadata')),
    );
    expect(JSON.parse(line.slice('metadata '.length))).toEqual({
      domain: 'e2e',
      descriptors: [{ entries: ['api_key=metadata'] }],
    });
  });
});
