const PAGE_BITS = 15;
const PAGE_SIZE = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_SIZE - 1;

/**
 * Whole numbers from 0 to 4 294 967 295 by row, four bytes each. Grows page by page, so that growing
 * never holds an old and a new copy at once, and rows that are never set take no memory. Such a row is 0.
 */
export class NumberColumn {
  readonly #pages: (Uint32Array | undefined)[] = [];
  #pageCount = 0;

  get(row: number): number {
    const page = this.#pages[row >>> PAGE_BITS];
    return page === undefined ? 0 : (page[row & PAGE_MASK] as number);
  }

  set(row: number, value: number): void {
    const page = this.#pages[row >>> PAGE_BITS] ?? this.#addPage(row >>> PAGE_BITS);
    page[row & PAGE_MASK] = value;
  }

  get byteLength(): number {
    return this.#pageCount * PAGE_SIZE * 4;
  }

  #addPage(index: number): Uint32Array {
    // Filled up to the index, since an array with holes is slow to read.
    while (this.#pages.length < index) this.#pages.push(undefined);
    const page = new Uint32Array(PAGE_SIZE);
    this.#pages[index] = page;
    this.#pageCount++;
    return page;
  }
}

/** Numbers with fractions or beyond 32 bits, eight bytes each; NaN means null, also where never set. */
export class DoubleColumn {
  readonly #pages: (Float64Array | undefined)[] = [];
  #pageCount = 0;

  get(row: number): number | null {
    const page = this.#pages[row >>> PAGE_BITS];
    const value = page === undefined ? Number.NaN : (page[row & PAGE_MASK] as number);
    return Number.isNaN(value) ? null : value;
  }

  set(row: number, value: number | null): void {
    const page = this.#pages[row >>> PAGE_BITS] ?? this.#addPage(row >>> PAGE_BITS);
    page[row & PAGE_MASK] = value ?? Number.NaN;
  }

  get byteLength(): number {
    return this.#pageCount * PAGE_SIZE * 8;
  }

  #addPage(index: number): Float64Array {
    while (this.#pages.length < index) this.#pages.push(undefined);
    const page = new Float64Array(PAGE_SIZE).fill(Number.NaN);
    this.#pages[index] = page;
    this.#pageCount++;
    return page;
  }
}

const LARGEST_HELD = 0xffff_fffe;
const IN_SIDE_MAP = 0xffff_ffff;

/**
 * Whole numbers of 0 or more, or null, four bytes each: the value plus one, so that 0 is null. The rare number
 * beyond 32 bits (an amount above $42 million) waits in a map.
 */
export class NullableColumn<Value extends number = number> {
  readonly #held = new NumberColumn();
  readonly #large = new Map<number, Value>();

  get(row: number): Value | null {
    const held = this.#held.get(row);
    if (held === 0) return null;
    return held === IN_SIDE_MAP ? (this.#large.get(row) ?? null) : ((held - 1) as Value);
  }

  set(row: number, value: Value | null): void {
    if (value === null) this.#held.set(row, 0);
    else if (value < LARGEST_HELD) this.#held.set(row, value + 1);
    else {
      this.#held.set(row, IN_SIDE_MAP);
      this.#large.set(row, value);
    }
  }

  get byteLength(): number {
    return this.#held.byteLength + this.#large.size * 64;
  }
}
