/** A random generator with the same numbers for the same seed on every runtime. */
export class Random {
  #state: number;

  constructor(seed: number, label: string) {
    let state = seed | 0;
    for (const letter of label) state = Math.imul(state ^ letter.codePointAt(0)!, 0x01000193);
    this.#state = state;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  integer(least: number, most: number): number {
    return Math.min(most, least + Math.floor(this.next() * (most - least + 1)));
  }

  pick<T>(values: readonly T[]): T {
    return values[this.integer(0, values.length - 1)]!;
  }

  text(length: number): string {
    return Array.from({ length }, (_, index) => {
      const isInside = index > 0 && index < length - 1;
      return this.pick([...(isInside && this.chance(0.1) ? STRANGE : PLAIN)]);
    }).join("");
  }
}

const PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const STRANGE = " -_.'äßñ漢字é";
