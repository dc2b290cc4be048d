import type { PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { AmazonCalls } from './amazon-calls.ts';
import type { AmazonShop } from './amazon-shop.ts';
import { readItem } from './listing-item.ts';
import {
  previewPrice,
  type ReadOrder,
  readForPrice,
  stoppedBy,
  submitPrice,
  writeBack,
} from './price-patch.ts';
import { hasMoreThanPrice, keptOffer, lostMembers, standardPrice } from './purchasable-offer.ts';
import { tooLate } from './send-outcome.ts';
import {
  dropProof,
  keepMerge,
  keepProving,
  keepReplace,
  type OpenProof,
  readWriteWay,
  type WriteWay,
} from './write-way.ts';

/** Milliseconds before each look for the new price: Amazon shows attributes soon after it accepted them. */
const LOOK_AFTER = [1_000, 2_000, 4_000];
/** Milliseconds kept for writing back what a merge erased. */
const WRITE_BACK_TAKES = 5_000;

/**
 * How prices are written to this account; an open proof ends here as soon as Amazon shows its price.
 * @returns null when that has to be proven with this price
 */
export async function knownWay(
  calls: AmazonCalls,
  shop: AmazonShop,
  signal: AbortSignal,
): Promise<WriteWay | null> {
  const isQuoted = shop.quotesPrices === 'yes';
  // A proof that nothing keeps would be made with every price.
  if (shop.findings === null) return { op: 'replace', isQuoted };
  const known = await readWriteWay(shop);
  if (known === null) return null;
  if (known.is !== 'proving') return { op: known.is, isQuoted: known.isQuoted || isQuoted };
  // Until it is shown, nothing else is left to a merge.
  return (
    (await concludeProof(calls, shop, known, null, signal)) ?? { op: 'replace', isQuoted: known.isQuoted }
  );
}

/** The outcome of a first price, and how the next ones are written; null where this price proved nothing. */
interface FirstPrice {
  readonly outcome: SendOutcome;
  readonly way: WriteWay | null;
}

/**
 * Sends the first price of an account by a merge, after Amazon has approved it in a preview, and looks whether anything
 * else of the offer changed. What vanished by then is written back.
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
  const proof = { sku: order.ref.sku, price: order.price, before, isQuoted: tried.isQuoted };
  // Kept before it is sent: should this process end, the next one looks at it.
  await keepProving(shop, proof, calls.now());
  const outcome = await submitPrice(calls, shop, read, tried, signal);
  if (outcome.kind === 'rejected' || outcome.kind === 'not_sent') {
    await dropProof(shop, calls.now());
    return { outcome, way: null };
  }
  for (const wait of LOOK_AFTER) {
    if (calls.now() + wait + WRITE_BACK_TAKES > order.notAfter) break;
    await calls.wait(wait, signal).catch(() => undefined);
    if (signal.aborted) break;
    const way = await concludeProof(calls, shop, proof, order, signal).catch(onlyUnread);
    if (way !== null) return { outcome, way };
  }
  return { outcome, way: { op: 'replace', isQuoted: tried.isQuoted } };
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
 * Compares an offer with what it was before a merge. What vanished is written back with the price that was just sent, in
 * the call that sent it only: later the seller may have removed it, and no check of the sender covers the price.
 * @param justSent null in a later call
 * @returns null while Amazon does not show the merged price
 */
async function concludeProof(
  calls: AmazonCalls,
  shop: AmazonShop,
  { sku, price, before, isQuoted }: OpenProof,
  justSent: PriceOrder | null,
  signal: AbortSignal,
): Promise<WriteWay | null> {
  const item = await readItem(calls, shop, sku, ['summaries', 'attributes', 'issues'], signal);
  if (item === null || standardPrice(item.attributes, shop) !== price) return null;
  const after = keptOffer(item.attributes, shop);
  const lost = lostMembers(before, after);
  if (lost.length === 0) return keepMerge(shop, { isQuoted }, hasMoreThanPrice(before), calls.now());
  // Before anything is written back: no further merge may follow, whatever happens next.
  const way = await keepReplace(shop, { isQuoted }, { sku, lost, isRestored: false });
  // Nothing of this was in the merge: the seller is editing the offer, and may have removed the rest too.
  const isEdited = lostMembers(after, before).length > 0;
  if (justSent === null || isEdited || stoppedBy(item, shop, justSent, calls.now()) !== null) return way;
  const form = { isQuoted, notAfter: justSent.notAfter };
  const isRestored = await writeBack(calls, shop, { item, before, price }, form, signal).catch(
    (error) => onlyUnread(error) !== null,
  );
  return isRestored ? keepReplace(shop, { isQuoted }, { sku, lost, isRestored }) : way;
}
