import type { PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { type Instant, instant } from '#domain/units.ts';
import type { AmazonCalls } from './amazon-calls.ts';
import type { AmazonShop } from './amazon-shop.ts';
import { type Item, readItem } from './listing-item.ts';
import {
  previewPrice,
  type ReadOrder,
  readForPrice,
  stoppedBy,
  submitPrice,
  writeBack,
} from './price-patch.ts';
import {
  comparedOffers,
  hasMoreThanPrice,
  type KeptOffer,
  keptOffer,
  standardPrice,
} from './purchasable-offer.ts';
import { tooLate } from './send-outcome.ts';
import {
  dropProof,
  endProving,
  keepMerge,
  keepProving,
  keepReplace,
  type OpenProof,
  readWriteWay,
  SHOWN_LATE,
  type WriteWay,
} from './write-way.ts';

/** Milliseconds before each look for the new price: Amazon shows attributes soon after it accepted them. */
const LOOK_AFTER = [1_000, 2_000, 4_000];
/** Milliseconds kept for writing back what a merge erased. */
const WRITE_BACK_TAKES = 5_000;

/** How prices are written, and the listing of which Amazon may not show all yet. */
export interface KnownWay extends WriteWay {
  readonly behind: OfferBehind | null;
}

/** An offer that Amazon may show without what was written back, or without a merged price. */
export interface OfferBehind {
  readonly sku: string;
  /** As it was, its price aside. */
  readonly before: KeptOffer;
  /** The merge that Amazon did not show yet; null where the offer was written back. */
  readonly proof: OpenProof | null;
}

/**
 * How prices are written to this account; an open proof ends here as soon as Amazon shows its price.
 * @returns null when that has to be proven with this price
 */
export async function knownWay(
  calls: AmazonCalls,
  shop: AmazonShop,
  signal: AbortSignal,
): Promise<KnownWay | null> {
  const isQuoted = shop.quotesPrices === 'yes';
  // A proof that nothing keeps would be made with every price.
  if (shop.findings === null) return { op: 'replace', isQuoted, behind: null };
  const known = await readWriteWay(shop);
  if (known === null) return null;
  const form = { isQuoted: known.isQuoted || isQuoted };
  if (known.is === 'merge') return { ...form, op: 'merge', behind: null };
  if (known.is === 'replace') {
    const { sku, writtenBack } = known;
    const isBehind = writtenBack !== undefined && calls.now() < writtenBack.until;
    const behind = isBehind ? { sku, before: writtenBack.before, proof: null } : null;
    return { ...form, op: 'replace', behind };
  }
  const isOpen = calls.now() < known.lookUntil;
  const concluded = isOpen ? await lookAtProof(calls, shop, known, signal).catch(onlyUnread) : null;
  if (concluded !== null) return { ...concluded, behind: null };
  // Until it is shown, and where it never was, nothing else is left to a merge.
  const behind = isOpen ? { sku: known.sku, before: known.before, proof: known } : null;
  return { ...form, op: 'replace', behind };
}

/** The merge of this account that Amazon did not show yet; null for none. */
export async function openMergeProof(shop: AmazonShop, now: Instant): Promise<OpenProof | null> {
  const known = await readWriteWay(shop);
  return known?.is === 'proving' && now < known.lookUntil ? known : null;
}

/** The outcome of a first price, and how the next ones are written; null where this price proved nothing. */
interface FirstPrice {
  readonly outcome: SendOutcome;
  readonly way: WriteWay | null;
}

/**
 * Sends the first price of an account by a merge, after Amazon has approved it in a preview, and looks whether anything
 * else of the offer changed. What vanished by then is written back; what vanished later is only reported, since the seller may
 * have removed it.
 */
export async function proveMerge(
  calls: AmazonCalls,
  shop: AmazonShop,
  order: PriceOrder,
  signal: AbortSignal,
): Promise<FirstPrice> {
  if (calls.now() > order.notAfter) return { outcome: tooLate(order), way: null };
  const read = await readForPrice(calls, shop, order, signal);
  if ('kind' in read) return { outcome: read, way: null };
  const tried = await tryPreviews(calls, shop, read, signal);
  if ('kind' in tried) return { outcome: tried, way: null };
  if (tried.op === 'replace') {
    const way = await keepReplace(shop, tried, { sku: order.ref.sku, lost: [], isRestored: true });
    return { outcome: await submitPrice(calls, shop, read, way, signal), way };
  }
  const before = keptOffer(read.item.attributes, shop);
  const { isQuoted } = tried;
  const sent = { sku: order.ref.sku, price: order.price, before, isQuoted };
  // Kept before it is sent: should this process end, the next one looks at it.
  const proof = await keepProving(shop, sent, calls.now());
  const outcome = await submitPrice(calls, shop, read, tried, signal);
  if (outcome.kind === 'rejected' || outcome.kind === 'not_sent') {
    await dropProof(shop, calls.now());
    return { outcome, way: null };
  }
  for (const wait of LOOK_AFTER) {
    if (calls.now() + wait + WRITE_BACK_TAKES > order.notAfter) break;
    await calls.wait(wait, signal).catch(() => undefined);
    if (signal.aborted) break;
    const way = await lookAtProof(calls, shop, proof, signal, order).catch(onlyUnread);
    if (way !== null) return { outcome, way };
  }
  return { outcome, way: { op: 'replace', isQuoted } };
}

/** A failed look proves nothing, and does not concern the price that was sent. */
function onlyUnread(error: unknown): null {
  if (error instanceof ConnectorError) return null;
  throw error;
}

/**
 * The way that Amazon approves in previews: a merge, with the price as a number or as text; else a replace, where Amazon
 * approves that.
 * @returns the refusal where it approves none: that is about the price
 */
async function tryPreviews(
  calls: AmazonCalls,
  shop: AmazonShop,
  read: ReadOrder,
  signal: AbortSignal,
): Promise<WriteWay | SendOutcome> {
  const forms = shop.quotesPrices === 'yes' ? [true] : [false, true];
  let refusal: SendOutcome | null = null;
  for (const op of ['merge', 'replace'] as const) {
    for (const isQuoted of forms) {
      const way = { op, isQuoted };
      const refused = await previewPrice(calls, shop, read, way, signal);
      if (refused === null) return way;
      refusal ??= refused;
    }
  }
  if (refusal === null) throw new Error('No preview was asked for.');
  return refusal;
}

/**
 * Reads the listing of an open proof. In the call that sent the merge, what it erased is written back.
 * @param justSent absent in a later call
 * @returns null while Amazon does not show the merged price
 */
async function lookAtProof(
  calls: AmazonCalls,
  shop: AmazonShop,
  proof: OpenProof,
  signal: AbortSignal,
  justSent?: PriceOrder,
): Promise<WriteWay | null> {
  const item = await readItem(calls, shop, proof.sku, ['summaries', 'attributes', 'issues'], signal);
  const way = item === null ? null : await concludeProof(shop, proof, item, calls.now());
  if (item !== null && way?.op === 'replace' && justSent !== undefined)
    await restoreOffer(calls, shop, proof, { order: justSent, item }, signal);
  return way;
}

/**
 * Compares an offer with what it was before a merge, and keeps what vanished for the alert.
 * @returns null while Amazon does not show the merged price
 */
export async function concludeProof(
  shop: AmazonShop,
  { sku, price, before, isQuoted }: OpenProof,
  item: Item,
  now: Instant,
): Promise<WriteWay | null> {
  if (standardPrice(item.attributes, shop) !== price) return null;
  const { lost } = comparedOffers(before, keptOffer(item.attributes, shop));
  return lost.length === 0
    ? keepMerge(shop, { isQuoted }, hasMoreThanPrice(before), now)
    : keepReplace(shop, { isQuoted }, { sku, lost, isRestored: false });
}

/**
 * Writes an offer back as it was before the merge of seconds ago, with its price, unless the seller is editing the offer or
 * a check of the moment of sending forbids the price.
 */
async function restoreOffer(
  calls: AmazonCalls,
  shop: AmazonShop,
  { sku, price, before, isQuoted }: OpenProof,
  { order, item }: ReadOrder,
  signal: AbortSignal,
): Promise<void> {
  const { lost, isErased } = comparedOffers(before, keptOffer(item.attributes, shop));
  if (!isErased || stoppedBy(item, shop, order, calls.now()) !== null) return;
  const writtenBack = { before, until: instant(calls.now() + SHOWN_LATE) };
  // A write without an answer may be carried out.
  await keepReplace(shop, { isQuoted }, { sku, lost, isRestored: false, writtenBack });
  const form = { isQuoted, notAfter: order.notAfter };
  const isRestored = await writeBack(calls, shop, { item, before, price }, form, signal).catch(onlyUnread);
  if (isRestored === null) return;
  await keepReplace(shop, { isQuoted }, { sku, lost, isRestored, ...(isRestored && { writtenBack }) });
}

/**
 * Sends another price of a listing of which Amazon may not show all yet, with the offer as Amazon shows it: that ends the
 * proof. While what was written back may still appear, the price waits, unless it is urgent.
 */
export async function sendBehind(
  calls: AmazonCalls,
  shop: AmazonShop,
  read: ReadOrder,
  { sku, before, proof }: OfferBehind,
  way: WriteWay,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const { order, item } = read;
  const { lost } = comparedOffers(before, keptOffer(item.attributes, shop));
  if (proof === null && lost.length > 0 && !order.isUrgent) return waitsToBeShown(order);
  const outcome = await submitPrice(calls, shop, read, way, signal);
  if (outcome.kind === 'rejected' || outcome.kind === 'not_sent') return outcome;
  if (lost.length > 0) await keepReplace(shop, way, { sku, lost, isRestored: false });
  else if (proof !== null) await endProving(shop, proof, calls.now());
  return outcome;
}

function waitsToBeShown({ ref: { listingId } }: PriceOrder): SendOutcome {
  const message = 'Amazon does not show yet what was written back to the offer. Pricewright checks again.';
  return { listingId, kind: 'not_sent', message, retryAfter: null, othersMayGo: true };
}
