import { z } from 'zod';
import type { PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { type Cents, hours, type Instant, instant, isPrice } from '#domain/units.ts';
import type { AmazonCalls } from './amazon-calls.ts';
import type { AmazonShop } from './amazon-shop.ts';
import { type Item, readItem } from './listing-item.ts';
import { previewPrice, type ReadOrder, stoppedBy, submitPrice, writeBack } from './price-patch.ts';
import {
  type BusinessMembers,
  businessMembers,
  comparedOffers,
  KeptOffer,
  keptOffer,
  showsBusiness,
  standardPrice,
} from './purchasable-offer.ts';
import { SHOWN_WITHIN, UNSEEN_FOR, type WriteWay } from './write-way.ts';

/**
 * Whether a merge may carry the entry for businesses next to the standard price. `proven`: nothing else of an offer
 * changed when one did. `off`: something vanished, or Amazon does not accept it; then business prices stay as they are.
 */
export type BusinessWay = 'unproven' | 'proven' | 'off';

const FINDING = 'amazon_business';
const PROVEN_FOR = hours(24 * 30);
/** A preview that refuses may be about this offer alone. */
const REFUSED_FOR = hours(24);
const LONGEST_MESSAGE = 500;
/** Milliseconds before each look at the offer, and kept for writing back what vanished. */
const LOOK_AFTER = [1_000, 2_000, 4_000];
const WRITE_BACK_TAKES = 5_000;

const Price = z.custom<Cents>((price) => isPrice(price as number));
const Stored = z.discriminatedUnion('is', [
  z.object({ is: z.literal('proven') }),
  z.object({ is: z.literal('off') }),
  z.object({
    is: z.literal('proving'),
    sku: z.string(),
    price: Price,
    business: z.object({
      price: Price.nullable(),
      tiers: z.array(z.object({ from: z.int(), price: Price })),
    }),
    before: KeptOffer,
    isQuoted: z.boolean(),
    lookUntil: z.number().transform((at): Instant => instant(at)),
  }),
]);

interface OpenProof {
  readonly sku: string;
  readonly price: Cents;
  readonly business: BusinessMembers;
  /** The offer before it, without what moves. */
  readonly before: KeptOffer;
  readonly isQuoted: boolean;
  /** What Amazon shows from then on proves nothing. */
  readonly lookUntil: Instant;
}

/**
 * What is known of an account; an open proof ends here as soon as Amazon shows its prices, and until then business prices
 * stay as they are. So they are without a place to keep findings.
 */
export async function readBusinessWay(
  calls: AmazonCalls,
  shop: AmazonShop,
  signal: AbortSignal,
): Promise<BusinessWay> {
  if (shop.findings === null) return 'off';
  const known = Stored.safeParse(await shop.findings.read(FINDING)).data;
  if (known === undefined) return 'unproven';
  if (known.is !== 'proving') return known.is;
  if (calls.now() >= known.lookUntil) return 'off';
  return (await look(calls, shop, known, signal).catch(onlyUnread)) ?? 'off';
}

/** The prices for businesses that Amazon did not show yet; null for none. */
export async function openBusinessProof({ findings }: AmazonShop, now: Instant): Promise<OpenProof | null> {
  const known = Stored.safeParse(await findings?.read(FINDING)).data;
  return known?.is === 'proving' && now < known.lookUntil ? known : null;
}

/** The same price without those for businesses. */
export function withoutBusiness(order: PriceOrder): PriceOrder {
  return { ...order, business: null };
}

/** The outcome of a price, and how the others of the same call are written. */
interface Proof {
  readonly outcome: SendOutcome;
  readonly found: BusinessWay;
}

/**
 * Sends a price with those for businesses for the first time, after Amazon has approved it in a preview, and looks
 * whether anything else of the offer changed. What vanished by then is written back, and business prices stay as they are from
 * then on. Where a preview refuses, the price goes without them.
 * @param way by merge
 */
export async function proveBusiness(
  calls: AmazonCalls,
  shop: AmazonShop,
  read: ReadOrder,
  way: WriteWay,
  signal: AbortSignal,
): Promise<Proof> {
  const { order, item } = read;
  const business = businessMembers(item.attributes, shop, order.business);
  if (business === null)
    return { outcome: await submitPrice(calls, shop, read, way, signal), found: 'unproven' };
  const refusal = await previewPrice(calls, shop, read, way, signal);
  if (refusal !== null) {
    const why = refusal.message.slice(0, LONGEST_MESSAGE);
    await keep(shop, { is: 'off', sku: order.ref.sku, refused: why }, instant(calls.now() + REFUSED_FOR));
    const regular = { order: withoutBusiness(order), item };
    return { outcome: await submitPrice(calls, shop, regular, way, signal), found: 'off' };
  }
  const before = keptOffer(item.attributes, shop, business);
  const { isQuoted } = way;
  const lookUntil = instant(calls.now() + SHOWN_WITHIN);
  const proof = { sku: order.ref.sku, price: order.price, business, before, isQuoted, lookUntil };
  // Kept before it is sent: should this process end, the next one looks at it.
  await keep(shop, { is: 'proving', ...proof }, instant(lookUntil + UNSEEN_FOR));
  const outcome = await submitPrice(calls, shop, read, way, signal);
  if (outcome.kind === 'rejected' || outcome.kind === 'not_sent') {
    await keep(shop, {}, calls.now());
    return { outcome, found: 'unproven' };
  }
  for (const wait of LOOK_AFTER) {
    if (calls.now() + wait + WRITE_BACK_TAKES > order.notAfter) break;
    await calls.wait(wait, signal).catch(() => undefined);
    if (signal.aborted) break;
    const found = await look(calls, shop, proof, signal, order).catch(onlyUnread);
    if (found !== null) return { outcome, found };
  }
  // Amazon shows it later than this call may wait: the others go without, and the next call looks again.
  return { outcome, found: 'off' };
}

/**
 * Reads the listing of an open proof. In the call that sent the prices, what vanished is written back.
 * @param justSent absent in a later call
 * @returns null while Amazon does not show the prices
 */
async function look(
  calls: AmazonCalls,
  shop: AmazonShop,
  proof: OpenProof,
  signal: AbortSignal,
  justSent?: PriceOrder,
): Promise<BusinessWay | null> {
  const item = await readItem(calls, shop, proof.sku, ['summaries', 'attributes', 'issues'], signal);
  const way = item === null ? null : await concludeBusiness(shop, proof, item, calls.now());
  if (item !== null && way === 'off' && justSent !== undefined)
    await restoreOffer(calls, shop, proof, { order: justSent, item }, signal);
  return way;
}

/**
 * Compares an offer with what it was before business prices were sent, and keeps what vanished for the alert.
 * @returns null while Amazon does not show them
 */
export async function concludeBusiness(
  shop: AmazonShop,
  { sku, price, business, before }: OpenProof,
  { attributes }: Item,
  now: Instant,
): Promise<BusinessWay | null> {
  if (standardPrice(attributes, shop) !== price || !showsBusiness(attributes, shop, business)) return null;
  const { lost } = comparedOffers(before, keptOffer(attributes, shop, business));
  if (lost.length === 0) {
    await keep(shop, { is: 'proven' }, instant(now + PROVEN_FOR));
    return 'proven';
  }
  await keep(shop, { is: 'off', sku, lost, isRestored: false }, null);
  return 'off';
}

/**
 * Writes an offer back as it was before the prices of seconds ago, with these, unless the seller is editing the offer or a
 * check of the moment of sending forbids the price.
 */
async function restoreOffer(
  calls: AmazonCalls,
  shop: AmazonShop,
  { sku, price, business, before, isQuoted }: OpenProof,
  { order, item }: ReadOrder,
  signal: AbortSignal,
): Promise<void> {
  const { lost, isErased } = comparedOffers(before, keptOffer(item.attributes, shop, business));
  if (!isErased || stoppedBy(item, shop, order, calls.now()) !== null) return;
  const form = { isQuoted, notAfter: order.notAfter };
  const written = { item, before, price, business };
  const isRestored = await writeBack(calls, shop, written, form, signal).catch(onlyUnread);
  if (isRestored === true) await keep(shop, { is: 'off', sku, lost, isRestored }, null);
}

async function keep({ findings }: AmazonShop, value: object, until: Instant | null): Promise<void> {
  await findings?.write(FINDING, value, until);
}

/** A failed look proves nothing, and does not concern the price that was sent. */
function onlyUnread(error: unknown): null {
  if (error instanceof ConnectorError) return null;
  throw error;
}
