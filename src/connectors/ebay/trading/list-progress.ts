import type { UnreadableRow } from '#connectors/passed-over.ts';
import { hours, type Instant } from '#domain/units.ts';
import type { TradingItem, TradingItems } from './trading-item.ts';

/** A reading that was broken off goes on within this time; later its first pages say too little. */
const GOES_ON_FOR = hours(4);

/** A page of the list of active listings. */
export interface ListPage {
  readonly items: readonly (TradingItem | UnreadableRow)[];
  /** Item numbers of those that could not be read. */
  readonly unreadable: TradingItems['unreadable'];
  /** How many the list has. */
  readonly pages: number;
  readonly total: number | null;
  /** Before it was requested. */
  readonly asOf: Instant;
}

/**
 * How far the list of active listings was read. It is read as often as its calls suffice for all of it, rather than in part
 * each time; what was read of one that was broken off stays until the next sync goes on with it.
 */
export class ListProgress {
  #read: readonly ListPage[] = [];
  #lastPage = 0;
  /** Pages of the list when it was last read; null before that. */
  #size: number | null = null;

  /** @param left calls that may be made now */
  isDue(left: number, now: Instant): boolean {
    return this.read(now).length > 0 || this.#size === null || left >= this.#size;
  }

  /** The pages of a reading that was broken off, from the first one on. */
  read(now: Instant): readonly ListPage[] {
    const age = now - (this.#read[0]?.asOf ?? now);
    if (age < 0 || age > GOES_ON_FOR) this.end();
    return this.#read;
  }

  /** The number of the last page of such a reading; 0 for none. */
  lastPage(now: Instant): number {
    return this.read(now).length === 0 ? 0 : this.#lastPage;
  }

  took(page: ListPage, number: number): void {
    this.#read = [...this.#read, page];
    this.#lastPage = number;
    this.#size = page.pages;
  }

  /** It was read to its end, or starts again. */
  end(): void {
    this.#read = [];
    this.#lastPage = 0;
  }
}
