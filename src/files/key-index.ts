import { NumberColumn } from './columns.ts';

const PAGE_BITS = 20;
const PAGE_BYTES = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_BYTES - 1;
const FIRST_SLOTS = 1_024;
/** Two bytes before each key hold its length. */
const LENGTH_BYTES = 2;
const MAX_KEY_BYTES = 0xffff;

/**
 * Numbers the keys it is shown: the first is 0, the next new one 1. A million keys of ten bytes take about
 * 28 MB here, against 100 MB and more as strings in a Map: the bytes lie end to end in pages, and an
 * open-addressing table of their numbers finds them.
 */
export class KeyIndex {
  readonly #pages: Buffer[] = [];
  #used = PAGE_BYTES;
  readonly #places = new NumberColumn();
  readonly #hashes = new NumberColumn();
  /** The number of the key plus one; 0 is free. */
  #slots = new Uint32Array(FIRST_SLOTS);
  #count = 0;

  /** How many different keys there are. */
  get size(): number {
    return this.#count;
  }

  /** @returns the number of a key, or -1 for one never interned */
  find(bytes: Uint8Array, from: number, to: number): number {
    return (this.#slots[this.#slotOf(hashOf(bytes, from, to), bytes, from, to)] as number) - 1;
  }

  /** The same for a text. */
  findText(text: string): number {
    const bytes = Buffer.from(text);
    return this.find(bytes, 0, bytes.length);
  }

  /** @returns the number of a key, a new one if it was never seen */
  intern(bytes: Uint8Array, from: number, to: number): number {
    const hash = hashOf(bytes, from, to);
    const slot = this.#slotOf(hash, bytes, from, to);
    const taken = this.#slots[slot] as number;
    if (taken !== 0) return taken - 1;
    const number = this.#count++;
    this.#places.set(number, this.#store(bytes, from, to));
    this.#hashes.set(number, hash);
    this.#slots[slot] = number + 1;
    // At most half full: then a search ends after one or two looks.
    if (this.#count * 2 > this.#slots.length) this.#grow();
    return number;
  }

  /** The key of a number that {@link intern} gave out. */
  text(number: number): string {
    const place = this.#places.get(number);
    const page = this.#pages[place >>> PAGE_BITS];
    if (page === undefined) return '';
    const at = place & PAGE_MASK;
    return page.toString('utf8', at + LENGTH_BYTES, at + LENGTH_BYTES + page.readUInt16LE(at));
  }

  get byteLength(): number {
    const columns = this.#places.byteLength + this.#hashes.byteLength;
    return this.#pages.length * PAGE_BYTES + columns + this.#slots.byteLength;
  }

  /** @returns the slot that holds the key, or the free one where it would go */
  #slotOf(hash: number, bytes: Uint8Array, from: number, to: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const taken = slots[slot] as number;
      if (taken === 0) return slot;
      if (this.#hashes.get(taken - 1) === hash && this.#holds(taken - 1, bytes, from, to)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #holds(number: number, bytes: Uint8Array, from: number, to: number): boolean {
    const place = this.#places.get(number);
    const page = this.#pages[place >>> PAGE_BITS] as Buffer;
    let at = place & PAGE_MASK;
    const length = (page[at] as number) | ((page[at + 1] as number) << 8);
    if (length !== to - from) return false;
    at += LENGTH_BYTES - from;
    for (let byte = from; byte < to; byte++) if (page[at + byte] !== bytes[byte]) return false;
    return true;
  }

  #store(bytes: Uint8Array, from: number, to: number): number {
    const length = to - from;
    if (length > MAX_KEY_BYTES) throw new RangeError(`a key of ${length} bytes is too long`);
    // A key never crosses the end of a page: the few bytes left over are given up.
    if (this.#used + length + LENGTH_BYTES > PAGE_BYTES) {
      this.#pages.push(Buffer.alloc(PAGE_BYTES));
      this.#used = 0;
    }
    const page = this.#pages[this.#pages.length - 1] as Buffer;
    const at = this.#used;
    page.writeUInt16LE(length, at);
    page.set(bytes.subarray(from, to), at + LENGTH_BYTES);
    this.#used += length + LENGTH_BYTES;
    return (this.#pages.length - 1) * PAGE_BYTES + at;
  }

  #grow(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < this.#count; number++) {
      let slot = this.#hashes.get(number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}

/** FNV-1a with a last stir, so that keys which differ only at the end do not lie side by side. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  return hash >>> 0;
}
