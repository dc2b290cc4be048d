import {
  FULFILLMENT_TYPES,
  type FulfillmentType,
  MARKETPLACES,
  type Marketplace,
} from '#domain/marketplaces.ts';
import { type Cents, cents } from '#domain/units.ts';

/** The few words a column knows, found in bytes without regard to case. */
export class Keywords<Value> {
  /** Says how to write them: "Write one of: keep, floor, ceiling." */
  readonly fix: string;
  readonly #entries: readonly { readonly text: string; readonly value: Value }[];

  /** @param entries spelling and meaning, ASCII only; several spellings may mean the same */
  constructor(entries: readonly (readonly [string, Value])[]) {
    const seen = new Set<Value>();
    const spellings = entries
      .filter(([, value]) => !seen.has(value) && seen.add(value))
      .map(([text]) => text);
    this.fix = `Write one of: ${spellings.join(', ')}.`;
    this.#entries = entries.map(([text, value]) => ({ text: text.toLowerCase(), value }));
  }

  /** @returns null for a word that is not one of them */
  find(bytes: Uint8Array, from: number, to: number): Value | null {
    for (const { text, value } of this.#entries) if (isSame(text, bytes, from, to)) return value;
    return null;
  }

  /** Like {@link find}, in a text. */
  findText(text: string | null): Value | null {
    const wanted = text?.trim().toLowerCase();
    return this.#entries.find((entry) => entry.text === wanted)?.value ?? null;
  }
}

/** Words that mean themselves. */
export function keywordsOf<Word extends string>(words: readonly Word[]): Keywords<Word> {
  return new Keywords(words.map((word) => [word, word] as const));
}

/** With the names that reports and price trackers write. */
export const MARKETPLACE_KEYWORDS: Keywords<Marketplace> = new Keywords<Marketplace>([
  ...MARKETPLACES.map((marketplace) => [marketplace, marketplace] as const),
  ...MARKETPLACES.map((marketplace) => [`${marketplace}.com`, marketplace] as const),
  ...MARKETPLACES.map((marketplace) => [`www.${marketplace}.com`, marketplace] as const),
  ['Amazon US', 'amazon'],
  ['Amazon USA', 'amazon'],
  ['Amazon.com US', 'amazon'],
  ['Amazon Marketplace', 'amazon'],
  ['Walmart US', 'walmart'],
  ['Walmart Marketplace', 'walmart'],
  ['eBay US', 'ebay'],
]);
const FULFILLMENT_WORDS: readonly (readonly [string, FulfillmentType])[] = [
  ...FULFILLMENT_TYPES.map((type) => [type, type] as const),
  ['FBA', 'FBA/WFS'],
  ['WFS', 'FBA/WFS'],
  ['AFN', 'FBA/WFS'],
  ['Fulfilled by Amazon', 'FBA/WFS'],
  ['Fulfilled by Walmart', 'FBA/WFS'],
  ['MFN', 'FBM'],
  ['Merchant', 'FBM'],
  ['Fulfilled by Merchant', 'FBM'],
  ['Seller Fulfilled', 'FBM'],
];
/** FBA and WFS alone are what people write; they mean the same here. */
export const FULFILLMENT_KEYWORDS: Keywords<FulfillmentType> = new Keywords<FulfillmentType>(
  FULFILLMENT_WORDS,
);
/** The same, and what the marketplaces' own reports write: Amazon's fulfillment channels, Walmart's fulfillment types. */
export const REPORT_FULFILLMENT_KEYWORDS: Keywords<FulfillmentType> = new Keywords<FulfillmentType>([
  ...FULFILLMENT_WORDS,
  ['AMAZON_NA', 'FBA/WFS'],
  ['AMAZON', 'FBA/WFS'],
  ['Walmart Fulfilled', 'FBA/WFS'],
  ['DEFAULT', 'FBM'],
  ['Seller', 'FBM'],
  // It could be sent in and is not: the seller still ships it.
  ['WFS Eligible', 'FBM'],
]);
export const FLAG_KEYWORDS: Keywords<boolean> = new Keywords<boolean>([
  ['true', true],
  ['false', false],
  ['yes', true],
  ['no', false],
  ['y', true],
  ['n', false],
  ['on', true],
  ['off', false],
  ['1', true],
  ['0', false],
  ['enabled', true],
  ['disabled', false],
  ['active', true],
  ['inactive', false],
]);
/** The word in place of a charge of nothing. */
export const FREE_KEYWORDS: Keywords<Cents> = new Keywords<Cents>([
  ['Free', cents(0)],
  ['Free shipping', cents(0)],
]);

function isSame(text: string, bytes: Uint8Array, from: number, to: number): boolean {
  if (text.length !== to - from) return false;
  for (let at = from; at < to; at++) {
    let byte = bytes[at] as number;
    if (byte >= 65 && byte <= 90) byte += 32;
    if (text.charCodeAt(at - from) !== byte) return false;
  }
  return true;
}
