import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { httpCall } from './http-call.ts';
import { startProcess, type TestProcess } from './start-process.ts';
import { requireTool } from './tools.ts';
import { waitUntil } from './wait-until.ts';

export interface PrometheusOptions {
  /** `host:port` of what is scraped at `/metrics`, twice a second. */
  readonly targets: readonly string[];
  /** Labels that every series gets, as a scrape of Kubernetes adds them. */
  readonly labels: Readonly<Record<string, string>>;
  /** Files with rules. */
  readonly ruleFiles: readonly string[];
}

/** A series of an answer: its labels, and its value as text. */
export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [time: number, value: string];
}

/** A real Prometheus of the test's own, with a data folder that goes with it. */
export interface RunningPrometheus extends TestProcess {
  /** What an expression gives now. Rejects with Prometheus' own words if it is no expression. */
  query(expression: string): Promise<readonly Sample[]>;
  /** The names of the rules that were loaded, with the error of their last evaluation; empty for none. */
  rules(): Promise<ReadonlyMap<string, string>>;
}

/** Throws `ToolMissing` where Prometheus is not installed. */
export async function startPrometheus(options: PrometheusOptions): Promise<RunningPrometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-prometheus-'));
  const configFile = join(folder, 'prometheus.yml');
  await writeFile(configFile, JSON.stringify(configuration(options)));
  const address = `127.0.0.1:${await freePort()}`;
  const child = await startProcess(requireTool('prometheus'), [
    `--config.file=${configFile}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
  ]);
  void child.ended.then(() => rm(folder, { recursive: true, force: true }));
  try {
    await waitUntil('Prometheus to be ready', async () => {
      return child.exit !== undefined || (await httpCall({ address, path: '/-/ready' })).status === 200;
    });
    if (child.exit !== undefined) throw new Error('it ended');
  } catch (error) {
    await child.stop();
    throw new Error(`Prometheus did not start:\n${child.lines.join('\n')}`, { cause: error });
  }
  return Object.assign(Object.create(child) as TestProcess, {
    query: async (expression: string) => {
      const data = await ask(address, `query?query=${encodeURIComponent(expression)}`);
      return (data as { readonly result: readonly Sample[] }).result;
    },
    rules: async () => rulesOf(await ask(address, 'rules')),
  });
}

/** JSON is YAML. */
function configuration({ targets, labels, ruleFiles }: PrometheusOptions): object {
  return {
    global: { scrape_interval: '500ms', evaluation_interval: '500ms' },
    scrape_configs: [{ job_name: 'weir', static_configs: [{ targets, labels }] }],
    rule_files: ruleFiles,
  };
}

async function ask(address: string, path: string): Promise<unknown> {
  const { body } = await httpCall({ address, path: `/api/v1/${path}` });
  const answer = JSON.parse(body) as { status: string; error?: string; data: unknown };
  if (answer.status !== 'success') throw new Error(answer.error);
  return answer.data;
}

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly name: string;
      readonly health: string;
      readonly lastError?: string;
    }[];
  }[];
}

/** Not before each was evaluated once. */
function rulesOf(data: unknown): ReadonlyMap<string, string> {
  const rules = (data as Rules).groups.flatMap((group) => group.rules);
  return new Map(
    rules.map(({ name, health, lastError = '' }) => [name, health === 'ok' ? '' : `${health} ${lastError}`]),
  );
}
