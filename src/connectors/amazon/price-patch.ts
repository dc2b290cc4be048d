import { z } from 'zod';
import type { PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { stoppedByPrice } from '#connectors/price-before.ts';
import { outsideLimits } from '#domain/limits/marketplace-limits.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { type AmazonCalls, pathOf } from './amazon-calls.ts';
import { type AmazonRefusal, Issue, read, refusalBy } from './amazon-responses.ts';
import type { AmazonShop } from './amazon-shop.ts';
import { receiptOf } from './listing-issue.ts';
import { type Item, itemPath, readItem, shownPrice, summaryOf } from './listing-item.ts';
import {
  type BusinessMembers,
  businessMembers,
  type KeptOffer,
  mergedOffer,
  notRepricedBecause,
  type PriceForm,
  priceLimits,
  replacedOffer,
} from './purchasable-offer.ts';
import { noListing } from './send-outcome.ts';
import type { WriteWay } from './write-way.ts';

/** Amazon accepts this product type for any offer. */
const ANY_PRODUCT = 'PRODUCT';

const Submission = z.object({
  sku: z.string(),
  status: z.string(),
  issues: z.array(Issue).nullish(),
});

/** A price with its listing as it was read right before. */
export interface ReadOrder {
  readonly order: PriceOrder;
  readonly item: Item;
}

/** Reads the listing of a price. @returns an outcome where the price must not be sent */
export async function readForPrice(
  calls: AmazonCalls,
  shop: AmazonShop,
  order: PriceOrder,
  signal: AbortSignal,
): Promise<ReadOrder | SendOutcome> {
  const { sku } = order.ref;
  const readAt = calls.now();
  const item = await readItem(calls, shop, sku, ['summaries', 'attributes', 'issues', 'offers'], signal);
  if (item === null) return noListing(order);
  const stopped = stoppedBy(item, shop, order, calls.now());
  if (stopped !== null) return stopped;
  const shown = shownPrice(item, shop);
  const edited = shown.kind === 'price' ? stoppedByPrice('Amazon', order, shown.price, readAt) : null;
  return edited ?? { order, item };
}

/**
 * Whether what Amazon shows of a listing stops a price. A sale and Automate Pricing do not stop a user who was shown
 * them and confirmed; an offer of which it is unknown what would change always does.
 */
export function stoppedBy(
  { attributes }: Item,
  shop: AmazonShop,
  { ref: { listingId }, price, pastReason }: PriceOrder,
  now: Instant,
): SendOutcome | null {
  const because = notRepricedBecause(attributes, shop, now);
  if (because !== null && !(because.isConfirmable && because.reason === pastReason)) {
    const { reason: message, isConfirmable, until } = because;
    return { listingId, kind: 'stopped', message, found: { kind: 'not_repriceable', isConfirmable, until } };
  }
  const limits = priceLimits(attributes, shop);
  const message = limits === null ? null : outsideLimits(price, limits, 'amazon');
  if (limits === null || message === null) return null;
  return { listingId, kind: 'stopped', message, found: { kind: 'outside_limits', limits } };
}

/** The patch that changes only the price, and what follows it, as JSON text: `"productType"` and `"patches"` of an object. */
export function patchMembers({ order, item }: ReadOrder, shop: AmazonShop, way: WriteWay): string {
  const business = businessMembers(item.attributes, shop, order.business);
  const value =
    way.op === 'merge'
      ? mergedOffer(shop, order.price, way, business)
      : replacedOffer(item.attributes, shop, order.price, way, business);
  return membersOf(item, shop, order.ref.keys.productType, way.op, value);
}

function membersOf(
  item: Item,
  shop: AmazonShop,
  knownType: string | undefined,
  op: WriteWay['op'],
  value: string,
): string {
  const productType = summaryOf(item, shop)?.productType || (knownType ?? ANY_PRODUCT);
  const patch = `{"op":"${op}","path":"/attributes/purchasable_offer","value":${value}}`;
  return `"productType":${JSON.stringify(productType)},"patches":[${patch}]`;
}

/** Sends one price. */
export async function submitPrice(
  calls: AmazonCalls,
  shop: AmazonShop,
  read: ReadOrder,
  way: WriteWay,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const { ref, notAfter } = read.order;
  const { listingId, sku } = ref;
  const { status, issues } = await patch(calls, shop, sku, patchMembers(read, shop, way), notAfter, signal);
  if (status === 'ACCEPTED') return { listingId, kind: 'accepted', receipt: receiptOf(null, read.item) };
  if (status === 'INVALID') return refusedBy(listingId, issues);
  return { listingId, kind: 'unknown', message: 'Amazon neither accepted nor rejected the price.' };
}

/** An offer to write back. */
interface WrittenBack {
  readonly item: Item;
  /** Without the standard price, nor what of the business prices moved with it. */
  readonly before: KeptOffer;
  readonly price: Cents;
  readonly business?: BusinessMembers | null;
}

/**
 * Writes an offer back as it was, with a price.
 * @returns whether Amazon accepted it
 */
export async function writeBack(
  calls: AmazonCalls,
  shop: AmazonShop,
  { item, before, price, business = null }: WrittenBack,
  { notAfter, ...form }: PriceForm & { readonly notAfter: Instant },
  signal: AbortSignal,
): Promise<boolean> {
  const value = replacedOffer({ purchasable_offer: [...before] }, shop, price, form, business);
  const members = membersOf(item, shop, undefined, 'replace', value);
  const { status } = await patch(calls, shop, item.sku, members, notAfter, signal);
  return status === 'ACCEPTED';
}

/** @param notAfter null for a preview, which changes nothing */
async function patch(
  calls: AmazonCalls,
  shop: AmazonShop,
  sku: string,
  members: string,
  notAfter: Instant | null,
  signal: AbortSignal,
): Promise<{ readonly status: string | null; readonly issues: readonly Issue[] }> {
  const mode = notAfter === null ? 'VALIDATION_PREVIEW' : null;
  const query = { marketplaceIds: shop.marketplaceId, issueLocale: 'en_US', mode };
  const call = { method: 'PATCH', path: pathOf(itemPath(shop, sku), query), text: `{${members}}` } as const;
  const answer = await calls
    .ask(
      shop,
      notAfter === null
        ? { ...call, operation: 'previewListing' }
        : { ...call, operation: 'patchListing', changes: { notAfter } },
      signal,
    )
    .catch((error: unknown) => {
      throw aboutPrice(error);
    });
  const reported = read(Submission, answer.body, 'answer to a price', notAfter !== null);
  return { status: reported.sku === sku ? reported.status : null, issues: reported.issues ?? [] };
}

/** What refuses a preview refuses the price, too. */
function aboutPrice(error: unknown): unknown {
  if (!(error instanceof ConnectorError) || error.fault !== 'refused' || !error.isOfRead) return error;
  const { fault, sentence, said, status, code } = error;
  return new ConnectorError(fault, sentence, { said, code, ...(status !== null && { status }) });
}

/** What Amazon would answer to a price; null where it would accept it. Nothing changes. */
export async function previewPrice(
  calls: AmazonCalls,
  shop: AmazonShop,
  read: ReadOrder,
  way: WriteWay,
  signal: AbortSignal,
): Promise<Refusal | null> {
  const { listingId, sku } = read.order.ref;
  const { status, issues } = await patch(calls, shop, sku, patchMembers(read, shop, way), null, signal);
  return status === 'VALID' ? null : refusedBy(listingId, issues);
}

type Refusal = Extract<SendOutcome, { readonly kind: 'rejected' }>;

function refusedBy(listingId: number, issues: readonly Issue[]): Refusal {
  return { listingId, ...(refusalBy(issues) ?? UNEXPLAINED) };
}

const UNEXPLAINED: AmazonRefusal = {
  kind: 'rejected',
  message: 'Amazon reports an invalid price without a reason.',
  code: 'INVALID',
};
