/** How far the answer to a call has come. */
export const stages = { sent: 0, headers: 1, message: 2, bad: 3 } as const;

/**
 * Streams follow one another, so the place of one is its number modulo this. More than the streams of a
 * connection.
 */
const places = 4096;

/** The calls of one connection that have no answer yet, without an object for each. */
export class InFlight {
  /** 0 where the place is free. */
  readonly #streams = new Uint32Array(places);
  readonly #dues = new Float64Array(places);
  readonly #keys = new Uint32Array(places);
  readonly #stages = new Uint8Array(places);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  has(stream: number): boolean {
    return this.#streams[placeOf(stream)] === stream;
  }

  /** Whether a new stream's place is still taken by one that was opened long before and has not ended. */
  isTaken(stream: number): boolean {
    return this.#streams[placeOf(stream)] !== 0;
  }

  add(stream: number, key: number, due: number): void {
    const place = placeOf(stream);
    this.#streams[place] = stream;
    this.#keys[place] = key;
    this.#dues[place] = due;
    this.#stages[place] = stages.sent;
    this.#count++;
  }

  stageOf(stream: number): number {
    return this.#stages[placeOf(stream)] ?? stages.bad;
  }

  setStage(stream: number, stage: number): void {
    this.#stages[placeOf(stream)] = stage;
  }

  /** Returns when the call was due. */
  remove(stream: number): number {
    const place = placeOf(stream);
    this.#streams[place] = 0;
    this.#count--;
    return this.#dues[place] ?? Number.NaN;
  }

  /** Takes out the calls of the streams above this one. */
  removeAbove(last: number): { readonly key: number; readonly due: number }[] {
    return [...this.#streams]
      .filter((stream) => stream > last)
      .sort((a, b) => a - b)
      .map((stream) => ({ key: this.#keys[placeOf(stream)] ?? 0, due: this.remove(stream) }));
  }
}

/** Clients' streams have odd ids. */
function placeOf(stream: number): number {
  return (stream >>> 1) % places;
}
