import type { Redis } from 'ioredis';
import type { StoreError } from '../store-error.ts';
import { type Batch, keysOf } from './batch.ts';
import { Breaker } from './breaker.ts';
import { CommandSpaces } from './encoded-command.ts';
import {
  databaseProblem,
  evictionPolicy,
  replicaProblem,
  scriptProblem,
  versionProblem,
} from './node-problems.ts';
import { storeErrorOf } from './redis-error.ts';
import { callOnNode } from './script-call.ts';
import { scriptOf } from './script-of.ts';
import { countFixedWindows } from './scripts.gen.ts';
import type { RedisPoolListener } from './store-event.ts';
import type { DirectCall } from './topology.ts';

/** How often a node that can't be used is asked again. */
const askAgainMs = 1_000;

export interface RedisNodeOptions {
  /** Name of the node in errors and events. */
  readonly node: string;
  /** Number of the database that has the counters; a cluster has 0 alone. */
  readonly db: number;
  /** false: the script goes without its flags and with declared keys, as to a server that refuses them. */
  readonly scriptFlags: boolean;
  readonly onEvent: RedisPoolListener;
  readonly onUsable: () => void;
}

/**
 * A connection to one server: whether it can be used, and how. A server is asked on each new connection, since a failover
 * or an upgrade may have put another in its place. Nothing is sent before it answered.
 */
export class RedisNode {
  readonly client: Redis;
  readonly breaker: Breaker;
  readonly #options: RedisNodeOptions;
  readonly #spaces = new CommandSpaces();
  #trouble: StoreError;
  #usable = false;
  #flags = true;
  #opened = false;
  #closed = false;
  #askAgain: NodeJS.Timeout | undefined;

  constructor(client: Redis, options: RedisNodeOptions) {
    this.client = client;
    this.#options = options;
    const { node, onEvent } = options;
    this.breaker = new Breaker({
      node,
      onChange: (change) => onEvent({ kind: 'breaker', node, ...change }),
    });
    this.#trouble = { kind: 'connection', message: 'not connected yet', node: options.node };
    client.on('connect', () => this.#onConnect());
    client.on('ready', () => void this.#ask());
    client.on('close', () => this.#onClose());
    client.on('error', (error: Error) => this.#refuse(storeErrorOf(error, options.node)));
    if (client.status === 'ready') void this.#ask();
  }

  get node(): string {
    return this.#options.node;
  }

  /** Whether the script may be called without declared keys. */
  get takesFlags(): boolean {
    return this.#flags;
  }

  /** Why nothing can be sent now; undefined when it can. */
  unavailable(): StoreError | undefined {
    return this.#usable && this.client.status === 'ready' ? undefined : this.#trouble;
  }

  /** Calls the script on this server. */
  send(batch: Batch, isWanted: () => boolean): Promise<unknown> {
    const script = scriptOf(batch, this.#flags);
    const keys = this.#flags ? [] : keysOf(batch);
    return callOnNode(this.client, { script, keys, args: batch.args, isWanted }, this.#spaces);
  }

  /** Calls a script by itself, which is none of those that count. */
  call({ scripts, ...call }: DirectCall): Promise<unknown> {
    const script = this.#flags ? scripts.flagged : scripts.plain;
    return callOnNode(this.client, { script, ...call }, this.#spaces);
  }

  /** A replica was asked: the client finds the master again, where it can. */
  noticed(error: StoreError): void {
    if (error.kind !== 'readonly' || !this.#usable) return;
    this.#usable = false;
    this.#trouble = error;
    this.client.disconnect(true);
  }

  close(): void {
    this.#closed = true;
    this.#usable = false;
    clearTimeout(this.#askAgain);
    this.client.disconnect();
  }

  #onConnect(): void {
    this.#opened = true;
    this.#options.onEvent({ kind: 'opened', node: this.node });
  }

  #onClose(): void {
    this.#usable = false;
    clearTimeout(this.#askAgain);
    if (!this.#opened) return;
    this.#opened = false;
    this.#options.onEvent({ kind: 'closed', node: this.node });
  }

  /**
   * Asks for the version, the role, the database, and for the script with nothing to do, which leaves it loaded. The client
   * goes on in database 0 when it could not select the one that it was told to.
   */
  async #ask(): Promise<void> {
    const { stream } = this.client;
    const { db } = this.#options;
    const nothing = ['0', '0', '0'];
    const [info, replication, memory, selected, flagged] = await Promise.allSettled([
      this.client.info('server'),
      this.client.info('replication'),
      this.client.info('memory'),
      db === 0 ? undefined : this.client.select(db),
      this.#options.scriptFlags
        ? this.client.eval(countFixedWindows.source, 0, ...nothing)
        : Promise.reject(new Error('compiling script: flags are not wanted')),
    ]);
    if (this.#closed || this.client.stream !== stream || this.client.status !== 'ready') return;
    const problem =
      versionProblem(info, this.node) ??
      replicaProblem(replication, this.node) ??
      databaseProblem(selected, db, this.node) ??
      scriptProblem(flagged, this.node);
    if (problem === undefined) {
      this.#accept(flagged.status === 'fulfilled');
      this.#tellEviction(memory);
    } else {
      this.#refuse(problem);
      this.#askLater(problem);
    }
  }

  #accept(flags: boolean): void {
    this.#flags = flags;
    this.#usable = true;
    this.breaker.reset();
    this.#trouble = { kind: 'connection', message: 'the connection broke', node: this.node };
    this.#options.onEvent({ kind: 'usable', node: this.node, scriptFlags: flags });
    this.#options.onUsable();
  }

  #tellEviction(memory: PromiseSettledResult<string>): void {
    const policy = memory.status === 'fulfilled' ? evictionPolicy(memory.value) : undefined;
    if (policy !== undefined) this.#options.onEvent({ kind: 'evicting', node: this.node, policy });
  }

  #refuse(problem: StoreError): void {
    if (this.#closed) return;
    this.#trouble = problem;
    const { kind: errorKind, message, node } = problem;
    this.#options.onEvent({ kind: 'unusable', node, errorKind, message });
  }

  #askLater(problem: StoreError): void {
    this.#askAgain = setTimeout(() => {
      if (problem.kind === 'readonly') this.client.disconnect(true);
      else void this.#ask();
    }, askAgainMs);
    this.#askAgain.unref();
  }
}
