import { parseArgs } from 'node:util';

/** What load is asked for, on the command line and by `runLoad`. */
export interface LoadSettings {
  /** `host:port` of a gRPC listener without TLS. */
  readonly target: string;
  readonly connections: number;
  /** Calls in flight on one connection at most. In an open loop others wait, which counts as latency. */
  readonly streams: number;
  /** The load ends after so many calls, */
  readonly calls: number;
  /** or after so long: whichever is first. */
  readonly seconds: number;
  /** Different users, of whom each call asks for one at random. */
  readonly keys: number;
  readonly descriptors: number;
  readonly mode: 'closed' | 'open';
  /** Calls a second in an open loop. */
  readonly rate: number;
  /**
   * Whether calls have `grpc-timeout: 250m`, as those of Envoy have unless it is configured otherwise. Where
   * the service keeps to it, calls that wait for long fail. This client itself waits on.
   */
  readonly isWithTimeout: boolean;
  readonly seed: number;
  /** Load of the same kind before the measuring, for both sides' compilers. */
  readonly warmUpSeconds: number;
}

/** Settings that differ from the defaults; one of `calls` and `seconds` must be among them. */
export type SomeLoadSettings = Pick<LoadSettings, 'target'> & Partial<LoadSettings>;

export const defaultSettings: Omit<LoadSettings, 'target'> = {
  connections: 4,
  streams: 50,
  calls: Number.POSITIVE_INFINITY,
  seconds: Number.POSITIVE_INFINITY,
  keys: 1_000,
  descriptors: 1,
  mode: 'closed',
  rate: 1_000,
  isWithTimeout: true,
  seed: 1,
  warmUpSeconds: 0,
};

const options = {
  target: { type: 'string' },
  connections: { type: 'string' },
  streams: { type: 'string' },
  calls: { type: 'string' },
  seconds: { type: 'string' },
  keys: { type: 'string' },
  descriptors: { type: 'string' },
  mode: { type: 'string' },
  rate: { type: 'string' },
  seed: { type: 'string' },
  'warm-up-seconds': { type: 'string' },
  'same-key': { type: 'boolean' },
  'no-timeout': { type: 'boolean' },
} as const;

/** Reads the command line of `generate.ts`. @throws if it is wrong */
export function parseSettings(args: readonly string[]): LoadSettings {
  const { values } = parseArgs({ args: [...args], options });
  const { target, mode = defaultSettings.mode } = values;
  if (target === undefined) throw new Error('--target is missing');
  if (mode !== 'closed' && mode !== 'open') throw new Error(`--mode ${mode} is neither closed nor open`);
  if (values.calls === undefined && values.seconds === undefined) {
    throw new Error('one of --calls and --seconds must say when the load ends');
  }
  return {
    target,
    mode,
    connections: numberOf('connections', values.connections),
    streams: numberOf('streams', values.streams),
    calls: numberOf('calls', values.calls),
    seconds: numberOf('seconds', values.seconds),
    keys: values['same-key'] === true ? 1 : numberOf('keys', values.keys),
    descriptors: numberOf('descriptors', values.descriptors),
    rate: numberOf('rate', values.rate),
    seed: numberOf('seed', values.seed),
    warmUpSeconds: numberOf('warmUpSeconds', values['warm-up-seconds']),
    isWithTimeout: values['no-timeout'] !== true,
  };
}

type NumberName = Exclude<keyof LoadSettings, 'target' | 'mode' | 'isWithTimeout'>;

function numberOf(name: NumberName, text: string | undefined): number {
  if (text === undefined) return defaultSettings[name];
  const number = Number(text);
  const isPositive = number > 0 || (number === 0 && (name === 'seed' || name === 'warmUpSeconds'));
  if (!isPositive) throw new Error(`${text} is no number for ${name}`);
  return number;
}

/** The command line that says these settings. */
export function argsOf(some: SomeLoadSettings): string[] {
  const { isWithTimeout, ...values } = { ...defaultSettings, ...some };
  const given = Object.entries(values).filter(([, value]) => value !== Number.POSITIVE_INFINITY);
  const args = given.flatMap(([name, value]) => [`--${flagOf(name)}`, String(value)]);
  return isWithTimeout ? args : [...args, '--no-timeout'];
}

/** `warmUpSeconds` is `warm-up-seconds` on the command line. */
function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
