import { StatsD } from 'hot-shots';
import type { Figure } from './figure.ts';
import { tagSuffix } from './stat-names.ts';

/** Where a statsd server or a DogStatsD agent is, and how it is spoken to. */
export interface StatsdReceiver {
  /** statsd has no tags: they become a part of each name, as gostats writes them. */
  readonly flavour: 'statsd' | 'dogstatsd';
  readonly protocol: 'tcp' | 'udp';
  readonly host: string;
  readonly port: number;
  readonly tags: readonly (readonly [key: string, value: string])[];
}

/** One connection, or a socket for datagrams. It does not mend itself: what is broken is closed, and another one made. */
export interface StatsdConnection {
  /** Its receiver has ended it. */
  readonly hasEnded: boolean;
  add(figure: Figure): void;
  /** Sends what was added. Resolves with undefined when the system has it, else with why not. */
  sent(): Promise<Error | undefined>;
  close(): void;
}

/** A datagram passes every network whole; a stream has larger pieces. */
const maxBufferBytes = { udp: 1_432, tcp: 8_192 } as const;

/** A receiver that takes nothing for so long counts as away. */
const patienceMs = 5_000;

/** The library sends what is left over by its own timer too; here nothing is left over, so this is as good as never. */
const neverMs = 2 ** 31 - 1;

/**
 * hot-shots writes the lines and has the socket. Told nothing, it also reads DD_* variables and marks lines with what they
 * say, and it never comes back from a connection that the other side has closed, so neither is left to it.
 */
export function openStatsdConnection(receiver: StatsdReceiver): StatsdConnection {
  const { flavour, protocol, host, port, tags } = receiver;
  let failure: Error | undefined;
  let hasEnded = false;
  const client = new StatsD({
    host,
    port,
    protocol,
    // Else each datagram asks for the address anew.
    cacheDns: true,
    ...(flavour === 'dogstatsd' ? { globalTags: Object.fromEntries(tags) } : { suffix: tagSuffix(tags) }),
    includeDataDogTags: false,
    datadog: false,
    tcpGracefulErrorHandling: false,
    maxBufferSize: maxBufferBytes[protocol],
    bufferFlushInterval: neverMs,
    errorHandler: (error) => {
      failure ??= error;
    },
  });
  client.socket.on('close', () => {
    hasEnded = true;
  });
  return {
    get hasEnded() {
      return hasEnded;
    },
    add: (figure) => write(client, figure),
    async sent() {
      const error = await flushed(client);
      return failure ?? error;
    },
    close() {
      // Waiting for a stream that takes nothing would only end in a line on the console.
      if (protocol === 'tcp') client.socket.close();
      client.close(() => {});
    },
  };
}

function write(client: StatsD, { kind, name, value }: Figure): void {
  if (kind === 'counter') client.increment(name, value);
  else if (kind === 'gauge') client.gauge(name, value);
  else client.timing(name, value);
}

function flushed(client: StatsD): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const giveUp = () => resolve(new Error(`nothing was taken for ${patienceMs / 1_000} s`));
    const timer = setTimeout(giveUp, patienceMs).unref();
    client.flush((error) => {
      clearTimeout(timer);
      resolve(error ?? undefined);
    });
  });
}
