import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';
import { FLAG_BITS, featuredOf, flagsOf, fulfillmentOf, type HeldOffer } from './offer-record.ts';

const WORDS = 12;
const DOUBLES = 6;
/** Bytes of one offer in a file: three doubles, then six words of 32 bits. */
export const RECORD_BYTES = 48;
const FIRST_WORD = 6;
const FLAG_MASK = (1 << FLAG_BITS) - 1;

/** Offers as records of fixed length, in memory that can be written to a file as it is. */
export class OfferRecords {
  readonly bytes: Uint8Array;
  readonly capacity: number;
  readonly #words: Uint32Array;
  readonly #doubles: Float64Array;

  /** @param capacity in offers */
  constructor(capacity: number) {
    const buffer = new ArrayBuffer(capacity * RECORD_BYTES);
    this.capacity = capacity;
    this.bytes = new Uint8Array(buffer);
    this.#words = new Uint32Array(buffer);
    this.#doubles = new Float64Array(buffer);
  }

  write(index: number, offer: HeldOffer): void {
    const double = index * DOUBLES;
    this.#doubles[double] = offer.price;
    this.#doubles[double + 1] = offer.shipping;
    this.#doubles[double + 2] = offer.seenAt ?? Number.NaN;
    const word = index * WORDS + FIRST_WORD;
    this.#words[word] = offer.sku;
    this.#words[word + 1] = (MARKETPLACES.indexOf(offer.marketplace) << FLAG_BITS) | flagsOf(offer);
    this.#words[word + 2] = offer.seller + 1;
    this.#words[word + 3] = plusOne(offer.rating);
    this.#words[word + 4] = plusOne(offer.ratingCount);
    this.#words[word + 5] = plusOne(offer.handlingDays);
  }

  read(index: number): HeldOffer {
    const double = index * DOUBLES;
    const word = index * WORDS + FIRST_WORD;
    const flags = this.#words[word + 1] as number;
    const seenAt = this.#doubles[double + 2] as number;
    return {
      marketplace: MARKETPLACES[flags >>> FLAG_BITS] as Marketplace,
      sku: this.#words[word] as number,
      seller: (this.#words[word + 2] as number) - 1,
      price: this.#doubles[double] as Cents,
      shipping: this.#doubles[double + 1] as Cents,
      fulfillmentType: fulfillmentOf(flags & FLAG_MASK),
      isFeatured: featuredOf(flags & FLAG_MASK),
      seenAt: Number.isNaN(seenAt) ? null : (seenAt as Instant),
      rating: minusOne(this.#words[word + 3]) as Bps | null,
      ratingCount: minusOne(this.#words[word + 4]),
      handlingDays: minusOne(this.#words[word + 5]),
    };
  }

  skuAt(index: number): number {
    return this.#words[index * WORDS + FIRST_WORD] as number;
  }

  /** Copies a record of another batch, without taking it apart. */
  copy(to: number, from: OfferRecords, index: number): void {
    const start = index * WORDS;
    for (let word = 0; word < WORDS; word++)
      this.#words[to * WORDS + word] = from.#words[start + word] as number;
  }
}

/** Null is 0. Counts have at most nine digits, so one more always fits. */
function plusOne(value: number | null): number {
  return value === null ? 0 : value + 1;
}

function minusOne(held: number | undefined): number | null {
  return held === undefined || held === 0 ? null : held - 1;
}
