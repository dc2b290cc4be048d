import { z } from 'zod';
import { type Cents, hours, type Instant, instant, isPrice, minutes } from '#domain/units.ts';
import type { AmazonShop } from './amazon-shop.ts';
import { KeptOffer, type PriceForm } from './purchasable-offer.ts';

/**
 * How prices are written to an account. By `merge` only the price is sent, and everything else of an offer stays, as
 * Amazon documents. Whether it does so for this account is proven with its first price; otherwise `replace` sends back
 * all of the offer as it was read right before.
 */
export interface WriteWay extends PriceForm {
  readonly op: 'merge' | 'replace';
}

/** A merge whose effect Amazon did not show yet. */
export interface OpenProof extends PriceForm {
  readonly sku: string;
  readonly price: Cents;
  /** The offer before it. */
  readonly before: KeptOffer;
}

/** Why an account takes no merge. */
export interface MergeFailure {
  readonly sku: string;
  /** What vanished from the offer of that SKU; empty where Amazon does not accept the operation at all. */
  readonly lost: readonly string[];
  /** Whether it was written back. */
  readonly isRestored: boolean;
}

const FINDING = 'amazon_write';
/** How long a proof counts; one with an offer that had nothing but its price says little. */
const PROVEN_FOR = hours(24 * 30);
const HARDLY_PROVEN_FOR = hours(24);
/** A merge that is not shown by then is given up as a proof: the next price is another one. */
const PROVING_FOR = minutes(15);

const Stored = z.discriminatedUnion('is', [
  z.object({ is: z.literal('merge'), isQuoted: z.boolean() }),
  z.object({
    is: z.literal('replace'),
    isQuoted: z.boolean(),
    sku: z.string(),
    lost: z.array(z.string()),
    isRestored: z.boolean(),
  }),
  z.object({
    is: z.literal('proving'),
    isQuoted: z.boolean(),
    sku: z.string(),
    price: z.custom<Cents>((price) => isPrice(price as number)),
    before: KeptOffer,
  }),
]);

/** What is known of an account: a way, an open proof, or null for nothing. */
export async function readWriteWay({ findings }: AmazonShop): Promise<z.output<typeof Stored> | null> {
  return Stored.safeParse(await findings?.read(FINDING)).data ?? null;
}

/** @param hasMoreThanPrice the offer had other members, which the merge left as they were */
export async function keepMerge(
  shop: AmazonShop,
  { isQuoted }: PriceForm,
  hasMoreThanPrice: boolean,
  now: Instant,
): Promise<WriteWay> {
  const until = instant(now + (hasMoreThanPrice ? PROVEN_FOR : HARDLY_PROVEN_FOR));
  await shop.findings?.write(FINDING, { is: 'merge', isQuoted }, until);
  return { op: 'merge', isQuoted };
}

/** From now on no merge is sent to this account. */
export async function keepReplace(
  shop: AmazonShop,
  { isQuoted }: PriceForm,
  failure: MergeFailure,
): Promise<WriteWay> {
  const { sku, lost, isRestored } = failure;
  const value = { is: 'replace', isQuoted, sku, lost, isRestored };
  await shop.findings?.write(FINDING, value, null);
  return { op: 'replace', isQuoted };
}

export async function keepProving(shop: AmazonShop, proof: OpenProof, now: Instant): Promise<void> {
  const { sku, price, before, isQuoted } = proof;
  const value = { is: 'proving', isQuoted, sku, price, before };
  await shop.findings?.write(FINDING, value, instant(now + PROVING_FOR));
}

/** The merge was not carried out: nothing is known. */
export async function dropProof(shop: AmazonShop, now: Instant): Promise<void> {
  await shop.findings?.write(FINDING, {}, now);
}
