import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { startProcess, type TestProcess } from './start-process.ts';
import { requireTool } from './tools.ts';
import { waitUntil } from './wait-until.ts';

export interface NginxOptions {
  /** A configuration that listens on 127.0.0.1:8000. */
  readonly config: string;
  /** Texts of it, such as addresses, and what stands in their place. */
  readonly replaced: Readonly<Record<string, string>>;
}

/** A real nginx of the test's own. */
export interface RunningNginx extends TestProcess {
  /** `host:port` in place of 127.0.0.1:8000. */
  readonly address: string;
}

/** Starts nginx on a free port, as whoever runs the test: what it writes is in a folder of its own. */
export async function startNginx({ config, replaced }: NginxOptions): Promise<RunningNginx> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-nginx-'));
  const address = `127.0.0.1:${await freePort()}`;
  let text = await readFile(config, 'utf8');
  for (const [there, here] of Object.entries({ ...replaced, '127.0.0.1:8000': address })) {
    if (!text.includes(there)) throw new Error(`${config} has no ${there}`);
    text = text.replaceAll(there, here);
  }
  const file = join(folder, 'nginx.conf');
  await writeFile(file, text.replace(/^http \{$/m, `http {\n${foldersIn(folder)}`));
  const globals = `daemon off; master_process off; pid ${folder}/pid; error_log stderr warn;`;
  const child = await startProcess(requireTool('nginx'), ['-p', folder, '-c', file, '-g', globals]);
  void child.ended.then(() => rm(folder, { recursive: true, force: true }));
  try {
    await waitUntil('nginx to listen', () => {
      if (child.exit !== undefined) throw new Error('it ended');
      return accepts(address);
    });
  } catch (error) {
    await child.stop();
    throw new Error(`nginx did not start:\n${child.lines.join('\n')}`, { cause: error });
  }
  return Object.assign(Object.create(child) as TestProcess, { address });
}

/** Where Debian's nginx writes is for root only. */
function foldersIn(folder: string): string {
  const names = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return ['access_log off;', ...names.map((name) => `${name}_temp_path ${folder}/${name};`)].join('\n');
}

function accepts(address: string): Promise<boolean> {
  const [host = '', port = ''] = address.split(':');
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) });
    socket.once('connect', () => socket.destroy());
    socket.once('error', () => {});
    socket.once('close', (hadError) => resolve(!hadError));
  });
}
