import type { Socket } from 'node:net';

const chunkLength = 65_536;

/** Joins what is sent in one turn of the event loop into one write, in buffers that are used again. */
export class Outbox {
  readonly #socket: Socket;
  readonly #free: Buffer[] = [];
  #chunk: Buffer = Buffer.allocUnsafeSlow(chunkLength);
  #end = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /**
   * Takes up a copy. Returns where in `chunk` it is, so that an id may be set there before anything else is
   * done.
   */
  add(octets: Uint8Array): number {
    if (octets.length > chunkLength) throw new Error(`${octets.length} octets at once are too many`);
    if (this.#end + octets.length > chunkLength) this.flush();
    const at = this.#end;
    this.#chunk.set(octets, at);
    this.#end = at + octets.length;
    return at;
  }

  /** What is being filled. */
  get chunk(): Buffer {
    return this.#chunk;
  }

  flush(): void {
    if (this.#end === 0) return;
    const chunk = this.#chunk;
    this.#socket.write(chunk.subarray(0, this.#end), () => this.#free.push(chunk));
    this.#chunk = this.#free.pop() ?? Buffer.allocUnsafeSlow(chunkLength);
    this.#end = 0;
  }
}
