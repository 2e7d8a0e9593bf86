import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { baseRules } from '../../support/case-rules.ts';
import { httpCall } from '../../support/http-call.ts';
import { connectRaw, sendRaw } from '../../support/raw-connection.ts';
import { type RunningWeir, startWeir } from '../../support/start-weir.ts';
import { waitUntil } from '../../support/wait-until.ts';

const [token, next] = ['hunter2-is-no-token', 'another-token-altogether'];

async function start(env: Record<string, string>): Promise<RunningWeir> {
  const weir = await startWeir({
    rules: { 'shop.yaml': baseRules },
    env: { BACKEND_TYPE: 'memory', LOG_LEVEL: 'trace', ...env },
  });
  onTestFinished(async () => void (await weir.stop()));
  return weir;
}

async function tokenFile(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-debug-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, 'token');
  await writeFile(file, `${token}\n`);
  return file;
}

async function statusWith(weir: RunningWeir, bearer: string | undefined): Promise<number> {
  const address = weir.address('debug').replace('0.0.0.0', '127.0.0.1');
  const headers: Record<string, string> = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  return (await httpCall({ address, path: '/rlconfig', headers })).status;
}

const warnings = (weir: RunningWeir) => weir.log().filter(({ level }) => level === 'warning');

describe('X06: who may read the debug listener', () => {
  it('on every address, without a token: it starts as the reference does, and says what to set', async () => {
    const weir = await start({ DEBUG_HOST: '0.0.0.0' });
    expect(await statusWith(weir, undefined)).toBe(200);
    expect(warnings(weir)).toMatchObject([
      { variable: 'DEBUG_HOST', '@message': expect.stringContaining('Set DEBUG_TOKEN_FILE') },
    ]);
  });

  it('DEBUG_TOKEN: only who has it, and it is never seen', async () => {
    const weir = await start({ DEBUG_HOST: '0.0.0.0', DEBUG_TOKEN: token });
    expect(await statusWith(weir, undefined)).toBe(401);
    expect(await statusWith(weir, next)).toBe(401);
    expect(await statusWith(weir, token)).toBe(200);
    await waitUntil('the audit entries', () =>
      weir.lines.some((line) => line.includes('a debug page was read')),
    );
    const pages = ['/metrics', '/readyz', '/none'].map((path) =>
      httpCall({ address: weir.address('http'), path }),
    );
    const seen = [...weir.lines, ...(await Promise.all(pages)).map(({ body }) => body)].join('\n');
    expect(seen).toContain('"DEBUG_TOKEN":"***"');
    expect(seen).not.toContain(token);
    expect(seen).not.toContain(next);
  });

  it('DEBUG_TOKEN_FILE: another token counts without a restart', async () => {
    const file = await tokenFile();
    const weir = await start({ DEBUG_TOKEN_FILE: file });
    expect(await statusWith(weir, token)).toBe(200);
    await writeFile(file, next);
    await waitUntil('the new token to count', async () => (await statusWith(weir, next)) === 200);
    expect(await statusWith(weir, token)).toBe(401);
    expect(weir.lines.join('\n')).not.toContain(next);
  });

  it('DEBUG_TOKEN_FILE that is not there: no start, and the variable', async () => {
    await expect(start({ DEBUG_TOKEN_FILE: '/no/such/token' })).rejects.toThrow(
      /debug listener \([^)]*DEBUG_TOKEN_FILE\): ENOENT/,
    );
  });
});

it('HTTP_MAX_CONNECTIONS: one more is closed at once, and counted for its listener', async () => {
  const weir = await start({ HTTP_MAX_CONNECTIONS: '1' });
  const only = await connectRaw(weir.address('debug'));
  await waitUntil('its place', async () => (await sendRaw(weir.address('debug'), '')) === '');
  expect(only.isClosed()).toBe(false);
  // Each listener has its own connections.
  const { body } = await httpCall({ address: weir.address('metrics'), path: '/metrics' });
  expect(body).toMatch(/^weir_http_connections_refused_total\{listener="debug"\} [1-9]/m);
  expect(body).toContain('weir_http_connections_refused_total{listener="http"} 0');
});
