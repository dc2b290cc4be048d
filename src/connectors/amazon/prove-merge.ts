import type { PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { Instant } from '#domain/units.ts';
import type { AmazonCalls } from './amazon-calls.ts';
import type { AmazonShop } from './amazon-shop.ts';
import { type Item, readItem } from './listing-item.ts';
import { previewPrice, type ReadOrder, readForPrice, stoppedBy, submitPrice } from './price-patch.ts';
import {
  comparedOffers,
  hasMoreThanPrice,
  type KeptOffer,
  keptOffer,
  standardPrice,
} from './purchasable-offer.ts';
import { tooLate } from './send-outcome.ts';
import { type ErasedOffer, keepErased, restoreOffer } from './write-backs.ts';
import {
  dropProof,
  endProving,
  keepMerge,
  keepProving,
  keepReplace,
  type OpenProof,
  readWriteWay,
  replaceFinding,
  restoredFailure,
  WRITE_FINDING,
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
    const { sku, carried } = known;
    const isBehind = carried !== undefined && calls.now() < carried.until;
    return { ...form, op: 'replace', behind: isBehind ? { sku, before: carried.before, proof: null } : null };
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
 * else of the offer changed. What vanished by then is written back; what Amazon shows later is found when prices are read
 * back.
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
 * Reads the listing of an open proof. What the merge erased is written back at once in the call that sent it, and else
 * kept for the sender.
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
  const concluded = item === null ? null : await concludeProof(shop, proof, item, calls.now());
  if (concluded === null) return null;
  if (concluded.erased !== null && justSent !== undefined)
    await restoreOffer(calls, shop, concluded.erased, justSent, signal);
  return concluded.way;
}

/** How prices are written by a proof that ended. */
interface Concluded {
  readonly way: WriteWay;
  /** What is kept to be written back; null for nothing. */
  readonly erased: ErasedOffer | null;
}

/**
 * Compares an offer with what it was before a merge.
 * @returns null while Amazon does not show the merged price
 */
export async function concludeProof(
  shop: AmazonShop,
  { sku, price, before, isQuoted }: OpenProof,
  item: Item,
  now: Instant,
): Promise<Concluded | null> {
  if (standardPrice(item.attributes, shop) !== price) return null;
  const { lost, isErased } = comparedOffers(before, keptOffer(item.attributes, shop));
  if (lost.length === 0)
    return { way: await keepMerge(shop, { isQuoted }, hasMoreThanPrice(before), now), erased: null };
  // Before anything is written back: no further merge may follow, whatever happens next.
  const way = await keepReplace(shop, { isQuoted }, { sku, lost, isRestored: false });
  if (!isErased) return { way, erased: null };
  const value = replaceFinding({ isQuoted }, restoredFailure(sku, lost, before, now));
  const offer = { sku, price, business: null, before, isQuoted, finding: { name: WRITE_FINDING, value } };
  return { way, erased: await keepErased(shop, offer, now) };
}

/**
 * Sends another price of a listing of which Amazon may not show all yet: with all of its offer, and with what the first
 * price had erased. That ends the proof.
 */
export async function sendOverErased(
  calls: AmazonCalls,
  shop: AmazonShop,
  { order, item }: ReadOrder,
  { sku, before, proof }: OfferBehind,
  way: WriteWay,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const { lost, isErased } = comparedOffers(before, keptOffer(item.attributes, shop));
  const whole = isErased ? { ...item, attributes: { purchasable_offer: [...before] } } : item;
  const stopped = stoppedBy(whole, shop, order, calls.now());
  if (stopped !== null) return stopped;
  const outcome = await submitPrice(calls, shop, { order, item: whole }, way, signal);
  if (proof === null || outcome.kind === 'rejected' || outcome.kind === 'not_sent') return outcome;
  if (lost.length === 0) await endProving(shop, proof, calls.now());
  else if (isErased && outcome.kind === 'accepted')
    await keepReplace(shop, way, restoredFailure(sku, lost, before, calls.now()));
  else await keepReplace(shop, way, { sku, lost, isRestored: false });
  return outcome;
}
