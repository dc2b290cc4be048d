/**
 * Chance that is the same on every run with the same seed. Whoever rolls on its own has a stream of its own, so that one
 * more roll in one place changes nothing in another.
 */
export class Chance {
  readonly #seed: string;
  #state: number;

  constructor(seed: string) {
    this.#seed = seed;
    this.#state = hashOf(seed);
  }

  /** A stream of its own for somebody. */
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

  /** A whole number, both ends included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  /** @param share 0 never, 1 always */
  happens(share: number): boolean {
    return this.next() < share;
  }

  /** @throws RangeError for an empty list */
  pick<T>(list: readonly T[]): T {
    const one = list[Math.floor(this.next() * list.length)];
    if (one === undefined) throw new RangeError('nothing to pick from');
    return one;
  }

  /** Time until the next of things that happen at random, so many milliseconds apart on average; at least 1. */
  wait(mean: number): number {
    return Math.max(1, Math.round(-Math.log(1 - this.next()) * mean));
  }

  /** So many characters of an alphabet. */
  text(length: number, alphabet: string): string {
    let text = '';
    while (text.length < length) text += alphabet[Math.floor(this.next() * alphabet.length)];
    return text;
  }
}

/** FNV-1a over the UTF-16 units, stirred once more: similar seeds must not begin alike. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
