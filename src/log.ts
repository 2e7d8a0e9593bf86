import { type DestinationStream, destination, type LoggerOptions as PinoOptions, pino } from 'pino';
import { type Clock, systemClock } from './domain/clock.ts';

/**
 * What each level is for: `fatal`: the process ends. `error`: somebody must act. `warn`: somebody should look at it in
 * working hours. `info`: what happened, in lines that stay few. `debug` and `trace`: for whoever looks for a fault.
 */
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** Facts beside the message. Values that came from a caller go through `telemetry/printable.ts` first. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes one line. The message is fixed text; what varies is a field. An exception goes into the field `err`. */
export type LogMethod = (fields: LogFields, message: string) => void;

/** The part of pino that Weir uses. */
export interface Logger extends Readonly<Record<LogLevel, LogMethod>> {
  /** For lines whose fields cost something to make. */
  isLevelEnabled(level: LogLevel): boolean;
  /** A logger that adds these fields to each line. */
  child(fields: LogFields): Logger;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  /** `json`: one object a line, for machines. `text`: one readable line. */
  readonly format: 'json' | 'text';
  /** Standard output unless given; gets whole lines. */
  readonly destination?: { write(line: string): void };
  readonly clock?: Clock;
}

/**
 * Lines carry `@timestamp`, `level` and `@message`, as the reference's JSON lines do, and `warn` is written `warning`
 * as there, so that rules in a log pipeline keep working.
 */
export function createLogger(options: LoggerOptions): Logger {
  const { level, format, clock = systemClock } = options;
  const out: DestinationStream = options.destination ?? destination({ dest: 1, sync: true });
  return pino(pinoOptions(level, clock), format === 'json' ? out : textStream(out));
}

function pinoOptions(level: LogLevel, clock: Clock): PinoOptions {
  return {
    level,
    // Neither the process's id nor the host's name: whoever collects the lines of a pod knows both.
    base: null,
    messageKey: '@message',
    timestamp: () => `,"@timestamp":"${new Date(clock.now()).toISOString()}"`,
    formatters: { level: (label) => ({ level: label === 'warn' ? 'warning' : label }) },
  };
}

function textStream(out: DestinationStream): DestinationStream {
  return { write: (line) => out.write(textLine(line)) };
}

/** `<time> <LEVEL> <message> key=value key="a value"`, from a line of JSON. */
function textLine(json: string): string {
  const { level, '@timestamp': time, '@message': message, ...fields } = JSON.parse(json);
  const head = `${time} ${String(level).toUpperCase().padEnd(7)} ${message ?? ''}`;
  const tail = Object.entries(fields).map(([key, value]) => ` ${key}=${textValue(value)}`);
  return `${head}${tail.join('')}\n`;
}

const plainValue = /^[^\s"=\\\p{C}]+$/u;

function textValue(value: unknown): string {
  return typeof value === 'string' && plainValue.test(value) ? value : JSON.stringify(value);
}
