const range = 2 ** 32;

/** Random numbers that a seed decides (mulberry32): a failure is found again with its seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** 32 bits, unsigned. */
  bits(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** From 0 to less than `count`. */
  below(count: number): number {
    return Math.floor((this.bits() / range) * count);
  }

  /** Both ends may come. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  oneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** Small ones as often as large ones: up to `most`, each number of binary digits as likely as another. */
  size(most: number): number {
    const digits = this.below(33 - Math.clz32(most));
    return digits === 0 ? 0 : Math.min(most, this.bits() >>> (32 - digits));
  }
}

/** One seed of two numbers, so that each connection of a run has its own and can be made alone. */
export function mixSeeds(one: number, other: number): number {
  let mixed = Math.imul(one ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(other + 1, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
