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
  /** What Amazon shows from then on proves nothing. */
  readonly lookUntil: Instant;
}

/** Why an account takes no merge. */
export interface MergeFailure {
  readonly sku: string;
  /** What vanished from the offer of that SKU; empty where Amazon does not accept the operation at all. */
  readonly lost: readonly string[];
  /** Whether it was written back. */
  readonly isRestored: boolean;
  /** Where it was, or may have been: Amazon may show the offer without it for a while. */
  readonly writtenBack?: WrittenOffer;
}

interface WrittenOffer {
  /** The offer with what had vanished, without its price. */
  readonly before: KeptOffer;
  /** Amazon should show it by then. */
  readonly until: Instant;
}

const FINDING = 'amazon_write';
/** How long a proof counts; one with an offer that had nothing but its price says little. */
const PROVEN_FOR = hours(24 * 30);
const HARDLY_PROVEN_FOR = hours(24);
/** Longer than prices are read back: sellers report 15 to 40 minutes until a price is live, and the last look is after two hours. */
export const SHOWN_WITHIN = minutes(150);
/** A price that was not shown by then is no proof: so long none is written in that way, and then another one is. */
export const UNSEEN_FOR = hours(24);
/** As long as sellers report that Amazon takes to show what it accepted. */
export const SHOWN_LATE = minutes(45);

const Moment = z.number().transform((at): Instant => instant(at));

const Stored = z.discriminatedUnion('is', [
  z.object({ is: z.literal('merge'), isQuoted: z.boolean() }),
  z.object({
    is: z.literal('replace'),
    isQuoted: z.boolean(),
    sku: z.string(),
    lost: z.array(z.string()),
    isRestored: z.boolean(),
    writtenBack: z.object({ before: KeptOffer, until: Moment }).optional(),
  }),
  z.object({
    is: z.literal('proving'),
    isQuoted: z.boolean(),
    sku: z.string(),
    price: z.custom<Cents>((price) => isPrice(price as number)),
    before: KeptOffer,
    lookUntil: Moment,
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
  { sku, lost, isRestored, writtenBack }: MergeFailure,
): Promise<WriteWay> {
  const value = { is: 'replace', isQuoted, sku, lost, isRestored, ...(writtenBack && { writtenBack }) };
  await shop.findings?.write(FINDING, value, null);
  return { op: 'replace', isQuoted };
}

/** Until Amazon shows the price, and for a day where it never does, nothing else is merged. */
export async function keepProving(
  shop: AmazonShop,
  proof: Omit<OpenProof, 'lookUntil'>,
  now: Instant,
): Promise<OpenProof> {
  const open = { ...proof, lookUntil: instant(now + SHOWN_WITHIN) };
  await write(shop, open, instant(open.lookUntil + UNSEEN_FOR));
  return open;
}

/** Another price of the same listing was sent with all of its offer: the merge proves nothing, and erased nothing. */
export async function endProving(shop: AmazonShop, proof: OpenProof, now: Instant): Promise<void> {
  await write(shop, { ...proof, lookUntil: now }, proof.lookUntil);
}

async function write({ findings }: AmazonShop, proof: OpenProof, until: Instant): Promise<void> {
  const { sku, price, before, isQuoted, lookUntil } = proof;
  await findings?.write(FINDING, { is: 'proving', isQuoted, sku, price, before, lookUntil }, until);
}

/** The merge was not carried out: nothing is known. */
export async function dropProof(shop: AmazonShop, now: Instant): Promise<void> {
  await shop.findings?.write(FINDING, {}, now);
}
