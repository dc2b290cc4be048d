import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { cents } from '#domain/units.ts';
import type { AdapterContext } from '#sandbox/adapters/adapter.ts';
import { cursorTo, indexOf, reportedPage } from '#sandbox/adapters/list-pages.ts';
import { pathText, queryList, queryNumber, queryText } from '#sandbox/adapters/query.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import { requireSeller } from './amazon-auth.ts';
import { amazonRefusal } from './amazon-errors.ts';
import { listingView } from './listing-view.ts';
import { type OfferEntries, Patches, priceIssue, readPatches, unknownMembers } from './offer-attributes.ts';

/** Milliseconds until buyers see an accepted price. */
const LIVE_AFTER = 8 * 60_000;
/** Amazon returns at most this many results of a search. */
const MAX_RESULTS = 1_000;
const MAX_PAGE_SIZE = 20;

const PatchBody = z.looseObject({ productType: z.string().min(1), patches: Patches });

/** The Listings Items API, 2021-08-01. */
export class Listings {
  readonly #market: Market;
  readonly #tools: AdapterContext;
  /** The members of each listing's offer that only Amazon knows. */
  readonly #others = new Map<string, OfferEntries>();

  constructor(market: Market, tools: AdapterContext) {
    this.#market = market;
    this.#tools = tools;
  }

  register(app: FastifyInstance): void {
    const path = '/listings/2021-08-01/items/:sellerId';
    app.get(path, { config: { operation: 'searchListingsItems' } }, async (request) => this.#search(request));
    app.get(`${path}/:sku`, { config: { operation: 'getListingsItem' } }, async (request) => {
      requireSeller(request);
      const item = this.#market.item(pathText(request, 'sku'));
      if (item === null)
        throw amazonRefusal(404, `SKU '${pathText(request, 'sku')}' not found in marketplace`);
      return this.#view(this.#market.seenIn('item', item), request);
    });
    app.patch(`${path}/:sku`, { config: { operation: 'patchListingsItem' } }, async (request) =>
      this.#patch(request),
    );
  }

  /**
   * Applies the patches of a listing, from a call or from a feed.
   * @returns the issues; empty if the patches were accepted
   */
  submit(request: FastifyRequest, sku: string, patches: Patches, liveAfter = LIVE_AFTER) {
    const item = this.#market.item(sku);
    const read = this.#read(item, patches);
    if (read.kind === 'wrong') {
      const refusal = read.message;
      this.#tools.receivePrice(this.#market, request, { sku, liveAfter, price: cents(0), refusal });
      return [priceIssue(read.code, refusal)];
    }
    const { item: known, price, terms, entries } = read;
    // A price outside the seller's limits is never live: the limits come first.
    if (JSON.stringify({ ...known.terms, ...terms }) !== JSON.stringify(known.terms))
      this.#market.edit(sku, { terms });
    this.#others.set(sku, unknownMembers(entries));
    if (price !== null) this.#tools.receivePrice(this.#market, request, { sku, liveAfter, price });
    return [];
  }

  /** Whether a message of a feed fails although others of it are accepted. */
  failsInFeed(): boolean {
    return this.#market.happens(this.#market.quirks.effects?.feedFails);
  }

  #read(item: MarketItem | null, patches: Patches) {
    const { offerChanges } = this.#market.quirks;
    return readPatches(item, this.#others.get(item?.sku ?? '') ?? {}, patches, offerChanges);
  }

  #view(item: MarketItem, request: FastifyRequest) {
    const included = queryList(request, 'includedData');
    const parts = new Set(included.length === 0 ? ['summaries'] : included);
    return listingView(item, this.#others.get(item.sku) ?? {}, parts);
  }

  #search(request: FastifyRequest) {
    requireSeller(request);
    const size = queryNumber(request, 'pageSize', 10, MAX_PAGE_SIZE);
    const from = indexOf(this.#market, queryText(request, 'pageToken'));
    if (!(size >= 1) || from === null) throw amazonRefusal(400);
    const wanted = this.#wanted(request);
    const { part, total } = reportedPage(this.#market, wanted, from, Math.min(size, MAX_RESULTS - from));
    const hasMore = from + size < Math.min(wanted.length, MAX_RESULTS);
    return {
      numberOfResults: total,
      pagination: {
        ...(hasMore ? { nextToken: cursorTo(this.#market, from + size) } : {}),
        ...(from > 0 ? { previousToken: cursorTo(this.#market, Math.max(0, from - size)) } : {}),
      },
      items: part.map((item) => this.#view(item, request)),
    };
  }

  #wanted(request: FastifyRequest): MarketItem[] {
    const identifiers = new Set(queryList(request, 'identifiers'));
    const byAsin = queryText(request, 'identifiersType') === 'ASIN';
    const after = momentOf(queryText(request, 'createdAfter')) ?? Number.NEGATIVE_INFINITY;
    const before = momentOf(queryText(request, 'createdBefore')) ?? Number.POSITIVE_INFINITY;
    return this.#market.itemsIn('list').filter(({ sku, itemId, createdAt }) => {
      const isNamed = identifiers.size === 0 || identifiers.has(byAsin ? itemId : sku);
      return isNamed && createdAt >= after && createdAt <= before;
    });
  }

  #patch(request: FastifyRequest) {
    requireSeller(request);
    const body = PatchBody.safeParse(request.body);
    if (!body.success) throw amazonRefusal(400, 'The patches are not well-formed.');
    const sku = pathText(request, 'sku');
    const answer = { sku, submissionId: randomUUID().replaceAll('-', '') };
    if (queryText(request, 'mode') === 'VALIDATION_PREVIEW') {
      const read = this.#read(this.#market.item(sku), body.data.patches);
      const issues = read.kind === 'wrong' ? [priceIssue(read.code, read.message)] : [];
      return { ...answer, status: issues.length === 0 ? 'VALID' : 'INVALID', issues };
    }
    const issues = this.submit(request, sku, body.data.patches);
    return { ...answer, status: issues.length === 0 ? 'ACCEPTED' : 'INVALID', issues };
  }
}

function momentOf(text: string | null): number | null {
  const moment = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(moment) ? null : moment;
}
