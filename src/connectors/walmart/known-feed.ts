import type { PriceReading } from '#connectors/connector.ts';

/** Largest page of the details of a feed, and most details that a feed may have. */
export const DETAILS = 50;
export const MAX_DETAILS = 10_000;

/** The result of a price that a feed did not apply: refused, or failed because of an error of Walmart. */
export type Fate = Pick<Extract<PriceReading, { kind: 'price' }>, 'refusal' | 'failure'>;

/** One detail of a feed. */
export interface Detail {
  /** Null where Walmart does not name it. */
  readonly sku: string | null;
  /** Null while there is no result. */
  readonly fate: Fate | null;
}

/** What every page says of its feed. */
export interface FeedHead {
  readonly feedStatus: string;
  readonly itemsReceived?: number | null | undefined;
}

/** The pages of a feed that is done, as far as they were read. */
export class KnownFeed {
  readonly #head: FeedHead;
  /** The result of a SKU without one of its own. */
  readonly others: Fate;
  /** Offsets of pages that were never read, in the order in which they are. */
  readonly #unread = new Set<number>();
  /** Offsets of pages that had fewer details than they should. */
  readonly #short = new Set<number>();
  /** Other results than {@link others}, and SKUs without a result yet, each with the offset of its page. */
  readonly #results = new Map<string, { readonly fate: Fate | null; readonly offset: number }>();
  readonly #count: number;
  /** Where the details end: before their count where a page has none. */
  #end: number;

  constructor(head: FeedHead, others: Fate) {
    this.#head = head;
    this.others = others;
    this.#count = Math.min(head.itemsReceived ?? MAX_DETAILS, MAX_DETAILS);
    this.#end = this.#count;
    for (let offset = 0; offset < this.#count; offset += DETAILS) this.#unread.add(offset);
  }

  /** How many SKUs are stored. */
  get size(): number {
    return this.#results.size;
  }

  /** Whether each page was read at least once. */
  get isRead(): boolean {
    for (const offset of this.#unread) if (offset < this.#end) return false;
    return true;
  }

  /** Whether a page is of this feed as it was: neither its status nor its size is another one. */
  fits({ feedStatus, itemsReceived }: FeedHead): boolean {
    return (
      feedStatus === this.#head.feedStatus && (itemsReceived ?? null) === (this.#head.itemsReceived ?? null)
    );
  }

  /** Null where the feed has none that is stored: see {@link others}. */
  fateOf(sku: string): Fate | null {
    return this.#results.get(sku)?.fate ?? null;
  }

  /**
   * The offset of the next page that may have the result of one of these SKUs: a page that was never read, then one in
   * which the SKU had no result, or which had fewer details than it should.
   * @param requested pages that were requested just now
   * @returns null where there is none
   */
  next(skus: ReadonlySet<string>, requested: ReadonlySet<number>): number | null {
    const places = [...skus].map((sku) => this.#results.get(sku)?.offset ?? null);
    const isFree = (offset: number) => offset <= this.#end && !requested.has(offset);
    const isAnywhere = places.includes(null);
    if (isAnywhere)
      for (const offset of this.#unread) if (offset < this.#end && isFree(offset)) return offset;
    for (const offset of places) if (offset !== null && isFree(offset)) return offset;
    if (isAnywhere) for (const offset of this.#short) if (isFree(offset)) return offset;
    return null;
  }

  /** A page cannot be read: the others come first. */
  passOver(offset: number): void {
    if (this.#unread.delete(offset)) this.#unread.add(offset);
  }

  /** Adds a page, in place of what it said before. */
  add(offset: number, details: readonly Detail[]): void {
    this.#unread.delete(offset);
    this.#short.delete(offset);
    if (details.length < Math.min(DETAILS, this.#count - offset)) this.#short.add(offset);
    if (details.length === 0) this.#end = Math.min(this.#end, offset);
    else if (offset === this.#end) this.#end = this.#count;
    for (const { sku, fate } of details) {
      if (sku === null) continue;
      if (fate === this.others) this.#results.delete(sku);
      else this.#results.set(sku, { fate, offset });
    }
  }
}
