/**
 * Seeded random numbers, the same on every run. Independent parts draw from their own streams, so that an extra draw
 * in one does not change another.
 */
export class Chance {
  readonly #seed: string;
  #state: number;

  constructor(seed: string) {
    this.#seed = seed;
    this.#state = hashOf(seed);
  }

  /** An independent stream with that name. */
  for(name: string): Chance {
    return new Chance(`${this.#seed}/${name}`);
  }

  /** 0 or more, less than 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from low to high, inclusive. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  /** @param share probability from 0 to 1 */
  happens(share: number): boolean {
    return this.next() < share;
  }

  /** @throws RangeError for an empty list */
  pick<T>(list: readonly T[]): T {
    const one = list[Math.floor(this.next() * list.length)];
    if (one === undefined) throw new RangeError('nothing to pick from');
    return one;
  }

  /** Milliseconds until the next event of a Poisson process with that mean interval; at least 1. */
  wait(mean: number): number {
    return Math.max(1, Math.round(-Math.log(1 - this.next()) * mean));
  }

  /** Random characters of an alphabet. */
  text(length: number, alphabet: string): string {
    let text = '';
    while (text.length < length) text += alphabet[Math.floor(this.next() * alphabet.length)];
    return text;
  }
}

/** FNV-1a over the UTF-16 units, mixed once more: similar seeds must not start alike. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
