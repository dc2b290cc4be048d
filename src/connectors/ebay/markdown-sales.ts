import { z } from 'zod';
import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import type { Instant } from '#domain/units.ts';
import { credentialsOf, type EbayCalls, NAME } from './ebay-calls.ts';
import { Refusal } from './ebay-responses.ts';

const PAGE_SIZE = 200;
/** 20,000 sales, or listings of one. */
const MAX_PAGES = 100;

const Promotions = z.object({
  total: z.int().min(0),
  promotions: z.array(z.object({ promotionId: z.string().regex(/^[\w@-]{1,100}$/) })).nullish(),
});
const ListingSet = z.object({
  total: z.int().min(0),
  listings: z.array(z.object({ listingId: z.string().max(100) })).nullish(),
});

/** What reading the listings of a sale takes. It could also change sales, which Pricewright never does. */
export const SALES_SCOPE = 'https://api.ebay.com/oauth/api_scope/sell.marketing';

/** Says how to grant the right; without it a price is checked by what lists said of its listing, else by a call of its own. */
export const NO_SALES_RIGHT = `Your authorization of ${NAME} does not include the listings of your own sales (sell.marketing). Prices are checked one by one, so some go out later, and none where eBay does not answer. Choose "Connect ${NAME}" in Settings and agree again.`;

/** The seller's own markdown sales that run. */
export interface RunningSales {
  readonly readAt: Instant;
  /** Item numbers. */
  readonly listings: ReadonlySet<string>;
  /** A sale runs whose listings could not be read. */
  readonly isPart: boolean;
}

/**
 * The listings in running markdown sales. An older authorization may allow the list of sales alone
 * (`sell.marketing.readonly`): eBay's API names `sell.marketing` as the only right for the listings of one.
 */
export async function readRunningSales(
  calls: EbayCalls,
  account: Account,
  signal: AbortSignal,
): Promise<RunningSales> {
  const readAt = calls.now();
  const { marketplaceId } = credentialsOf(account);
  const ids: string[] = [];
  const query = `marketplace_id=${marketplaceId}&promotion_status=RUNNING&promotion_type=MARKDOWN_SALE`;
  for (let page = 0; page < MAX_PAGES; page++) {
    const path = `/sell/marketing/v1/promotion?${query}&limit=${PAGE_SIZE}&offset=${page * PAGE_SIZE}`;
    const answer = await calls.asSeller(account, { method: 'GET', path, operation: 'sales' }, signal);
    const { total, promotions } = parseResponse(NAME, Promotions, answer, 'list of sales');
    ids.push(...(promotions ?? []).map(({ promotionId }) => promotionId));
    if (ids.length >= total || (promotions ?? []).length === 0) break;
  }
  const listings = new Set<string>();
  let isPart = false;
  for (const id of ids) {
    const named = id.includes('@') ? id : `${id}@${marketplaceId}`;
    isPart = !(await readListingSet(calls, account, named, listings, signal)) || isPart;
  }
  return { readAt, listings, isPart };
}

/**
 * Whether the authorization includes the listings of the seller's own sales: older ones do not. It is asked for a token of that
 * right alone, since no sale may run now. True also where eBay fails to answer.
 */
export async function mayReadSales(
  calls: EbayCalls,
  account: Account,
  signal: AbortSignal,
): Promise<boolean> {
  const credentials = credentialsOf(account);
  const form = {
    grant_type: 'refresh_token',
    refresh_token: credentials.refreshToken,
    scope: SALES_SCOPE,
  };
  try {
    const answer = await calls.token(credentials, form, signal);
    const refusal = answer.status < 400 ? null : Refusal.safeParse(answer.body).data;
    return refusal == null || !('error' in refusal) || refusal.error !== 'invalid_scope';
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.fault === 'time') throw error;
    return true;
  }
}

/** @param listings receives the listings of the sale. @returns whether all of them came */
async function readListingSet(
  calls: EbayCalls,
  account: Account,
  id: string,
  listings: Set<string>,
  signal: AbortSignal,
): Promise<boolean> {
  let came = 0;
  try {
    for (let page = 0; page < MAX_PAGES; page++) {
      const path = `/sell/marketing/v1/promotion/${encodeURIComponent(id)}/get_listing_set?limit=${PAGE_SIZE}&offset=${page * PAGE_SIZE}`;
      const answer = await calls.asSeller(account, { method: 'GET', path, operation: 'sales' }, signal);
      const { total, listings: shown } = parseResponse(NAME, ListingSet, answer, 'listings of a sale');
      for (const { listingId } of shown ?? []) listings.add(listingId);
      came += shown?.length ?? 0;
      if (came >= total) return true;
      if ((shown ?? []).length === 0) return false;
    }
    return false;
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.fault === 'key') throw error;
    return false;
  }
}
