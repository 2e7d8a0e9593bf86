import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpAnswer, httpCall } from '../../support/http-call.ts';
import { type RunningWeir, startWeir } from '../../support/start-weir.ts';
import { codeBlocks, readText, root } from './repository.ts';

const page = readText('docs/json.md');
const commands = codeBlocks(page, 'sh');
const answers = codeBlocks(page, 'json');

/** Seconds to the end of the window depend on the moment. */
interface Answer {
  readonly statuses: readonly object[];
  readonly responseHeadersToAdd?: readonly { readonly key: string; readonly value: string }[];
  readonly rawBody?: string;
}

function withoutTime(text: string): object {
  const answer = JSON.parse(text) as Answer;
  const body = answer.rawBody === undefined ? undefined : Buffer.from(answer.rawBody, 'base64').toString();
  return {
    ...answer,
    statuses: answer.statuses.map((status) => ({ ...status, durationUntilReset: 'later' })),
    responseHeadersToAdd: answer.responseHeadersToAdd?.map(({ key, value }) =>
      /^(RateLimit-Reset|Retry-After)$/.test(key) ? { key, value: 'later' } : { key, value },
    ),
    rawBody: body?.replace(/in \d+ s/, 'later').replace(/"retry_after":\d+/, 'later'),
  };
}

describe('docs/json.md', () => {
  let weir: RunningWeir;
  beforeAll(async () => {
    weir = await startWeir({ rules: join(root, 'examples/config') });
  });
  afterAll(() => weir?.stop());

  function run(command: string, at = weir): Promise<HttpAnswer> {
    const body = /^curl -s http:\/\/localhost:8080\/json -d '(.*)'\n$/.exec(command)?.[1] ?? '';
    return httpCall({ address: at.address('http'), path: '/json', method: 'POST', body });
  }

  it('has an answer for each command', () => {
    expect(commands).toHaveLength(3);
    expect(answers).toHaveLength(3);
  });

  it.each([0, 1])('command %i gives the answer that stands there', async (index) => {
    const answer = await run(commands[index] ?? '');
    expect(answer.status).toBe(200);
    expect(withoutTime(answer.body)).toEqual(withoutTime(answers[index] ?? ''));
  });

  it('so does the one that is denied, with the settings that it names', async () => {
    const [, named = ''] = /`((?:[A-Z_]+=\w+ )+)npm start`/.exec(page) ?? [];
    const env = Object.fromEntries(
      named
        .trim()
        .split(' ')
        .map((pair) => pair.split('=') as [string, string]),
    );
    expect(Object.keys(env)).toEqual(['LIMIT_RESPONSE_HEADERS_ENABLED', 'DENIAL_BODY']);
    await using other = await startWeir({ rules: join(root, 'examples/config'), env });
    const answer = await run(commands[2] ?? '', other);
    expect(answer.status).toBe(429);
    expect(withoutTime(answer.body)).toEqual(withoutTime(answers[2] ?? ''));
    expect(answer.headers).toMatchObject({ 'ratelimit-limit': '1', 'content-type': 'application/json' });
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'GET'])(
    'takes the method %s that it names',
    async (method) => {
      expect(page).toContain(`\`${method}\``);
      const body = '{"domain": "api", "descriptors": [{"entries": [{"key": "user", "value": "eve"}]}]}';
      const answer = await httpCall({ address: weir.address('http'), path: '/json', method, body });
      expect(answer.status).toBe(200);
    },
  );
});
