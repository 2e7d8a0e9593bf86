import type { Seen } from './frame-counter.ts';
import { connectHostile, type HostileConnection, type HostileOptions } from './hostile-connection.ts';

/** What an attack came to. */
export interface AttackResult {
  /** How many of its units were sent. */
  readonly sent: number;
  readonly seen: Seen;
}

/** Looks at the service while the attack has it hold the most. */
export type Look = () => Promise<unknown>;

export interface Attack {
  readonly name: string;
  /** What is sent again and again, in the plural. */
  readonly unit: string;
  /** Settings of the service, where the usual ones would take minutes. */
  readonly env?: Readonly<Record<string, string>>;
  /** Made on one connection, unless the name says otherwise, until it is ended or enough was sent. */
  run(address: string, look: Look): Promise<AttackResult>;
}

/**
 * An attack on one connection.
 * @param attack gives how many units were sent; where it does not look, that is done at its end
 */
export function onConnection(
  { name, unit, env, ...options }: Omit<Attack, 'run'> & HostileOptions,
  attack: (client: HostileConnection, look: Look) => Promise<number>,
): Attack {
  return {
    name,
    unit,
    ...(env && { env }),
    async run(address, look) {
      await using client = await connectHostile(address, options);
      let hasLooked = false;
      const sent = await attack(client, () => {
        hasLooked = true;
        return look();
      });
      if (!hasLooked) await look();
      return { sent, seen: client.seen };
    },
  };
}
