import { z } from 'zod';
import type { PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { type Cents, hours, type Instant, instant, isPrice, minutes } from '#domain/units.ts';
import type { AmazonCalls } from './amazon-calls.ts';
import type { AmazonShop } from './amazon-shop.ts';
import { readItem } from './listing-item.ts';
import { previewPrice, type ReadOrder, stoppedBy, submitPrice, writeBack } from './price-patch.ts';
import {
  type BusinessMembers,
  businessMembers,
  KeptOffer,
  keptOffer,
  lostMembers,
  showsBusiness,
  standardPrice,
} from './purchasable-offer.ts';
import type { WriteWay } from './write-way.ts';

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

/** A proof that is not shown by then is given up: the next price is another one. */
const PROVING_FOR = minutes(15);

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
  }),
]);

interface OpenProof {
  readonly sku: string;
  readonly price: Cents;
  readonly business: BusinessMembers;
  /** The offer before it, without what moves. */
  readonly before: KeptOffer;
  readonly isQuoted: boolean;
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
  return (await look(calls, shop, known, null, signal).catch(onlyUnread)) ?? 'off';
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
 * whether anything else of the offer changed. What vanished is written back, and business prices stay as they are from then
 * on. Where a preview refuses, the price goes without them.
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
  const proof = { sku: order.ref.sku, price: order.price, business, before, isQuoted };
  // Kept before it is sent: should this process end, the next one looks at it.
  await keep(shop, { is: 'proving', ...proof }, instant(calls.now() + PROVING_FOR));
  const outcome = await submitPrice(calls, shop, read, way, signal);
  if (outcome.kind === 'rejected' || outcome.kind === 'not_sent') {
    await keep(shop, {}, calls.now());
    return { outcome, found: 'unproven' };
  }
  for (const wait of LOOK_AFTER) {
    if (calls.now() + wait + WRITE_BACK_TAKES > order.notAfter) break;
    await calls.wait(wait, signal).catch(() => undefined);
    if (signal.aborted) break;
    const found = await look(calls, shop, proof, order, signal).catch(onlyUnread);
    if (found !== null) return { outcome, found };
  }
  // Amazon shows it later than this call may wait: the others go without, and the next call looks again.
  return { outcome, found: 'off' };
}

/**
 * Compares an offer with what it was before. What vanished is written back in the call that sent the prices only: later
 * the seller may have removed it, and no check of the sender covers them.
 * @param justSent null in a later call
 * @returns null while Amazon does not show the prices
 */
async function look(
  calls: AmazonCalls,
  shop: AmazonShop,
  { sku, price, business, before, isQuoted }: OpenProof,
  justSent: PriceOrder | null,
  signal: AbortSignal,
): Promise<BusinessWay | null> {
  const item = await readItem(calls, shop, sku, ['summaries', 'attributes', 'issues'], signal);
  const isShown =
    item !== null &&
    standardPrice(item.attributes, shop) === price &&
    showsBusiness(item.attributes, shop, business);
  if (!isShown) return null;
  const after = keptOffer(item.attributes, shop, business);
  const lost = lostMembers(before, after);
  if (lost.length === 0) {
    await keep(shop, { is: 'proven' }, instant(calls.now() + PROVEN_FOR));
    return 'proven';
  }
  // Before anything is written back: nothing more may follow, whatever happens next.
  await keep(shop, { is: 'off', sku, lost, isRestored: false }, null);
  // Nothing of this was sent: the seller is editing the offer, and may have removed the rest too.
  const isEdited = lostMembers(after, before).length > 0;
  if (justSent === null || isEdited || stoppedBy(item, shop, justSent, calls.now()) !== null) return 'off';
  const form = { isQuoted, notAfter: justSent.notAfter };
  const isRestored = await writeBack(calls, shop, { item, before, price, business }, form, signal).catch(
    onlyUnread,
  );
  if (isRestored === true) await keep(shop, { is: 'off', sku, lost, isRestored }, null);
  return 'off';
}

async function keep({ findings }: AmazonShop, value: object, until: Instant | null): Promise<void> {
  await findings?.write(FINDING, value, until);
}

/** A failed look proves nothing, and does not concern the price that was sent. */
function onlyUnread(error: unknown): null {
  if (error instanceof ConnectorError) return null;
  throw error;
}
