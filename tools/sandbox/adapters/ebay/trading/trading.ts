import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AdapterContext } from '#sandbox/adapters/adapter.ts';
import { reportedPage } from '#sandbox/adapters/list-pages.ts';
import { headerText } from '#sandbox/adapters/query.ts';
import type { Market } from '#sandbox/world/market.ts';
import { child, type Element, leaf, node, parseXml, textAt } from '#sandbox/xml.ts';
import { reviseFixedPriceItem, reviseInventoryStatus } from './revise.ts';
import { type Ack, ERRORS, type TradingError, tradingResponse } from './trading-errors.ts';
import { type Listing, listedItem, listingsIn, wholeItem } from './trading-items.ts';

const TRADING_PATH = '/ws/api.dll';
const MAX_PAGE_SIZE = 200;
const DAY = 86_400_000;
const LONGEST_RANGE = 120 * DAY;
/** A listing that is good till canceled ends so long after it began, and is then renewed. */
const RENEWED_AFTER = 30 * DAY;
const LONGEST_MEMORY = 2 * DAY;
const MAX_EVENTS = 3_000;

interface Answer {
  readonly ack?: Ack;
  readonly errors?: readonly TradingError[];
  readonly content?: readonly string[];
}

/** The name of a Trading call, which only a header has; null for other requests. */
export function tradingCallOf(request: FastifyRequest): string | null {
  return request.url.endsWith(TRADING_PATH) ? (headerText(request, 'x-ebay-api-call-name') ?? null) : null;
}

/** The Trading API, as far as prices need it: one address, XML, failures with the status 200. */
export function addTrading(app: FastifyInstance, market: Market, tools: AdapterContext): void {
  app.post(TRADING_PATH, async (request, reply) => {
    const call = tradingCallOf(request) ?? '';
    const { ack, errors = [], content = [] } = answer(market, tools, request, call);
    reply.type('text/xml;charset=utf-8');
    const reported = ack ?? (errors.length > 0 ? 'Failure' : 'Success');
    return tradingResponse(call, market.now(), reported, errors, ...content);
  });
}

function answer(market: Market, tools: AdapterContext, request: FastifyRequest, call: string): Answer {
  const refused = authProblem(market, request);
  if (refused !== null) return { errors: [refused] };
  if (tools.keepsLimits && tools.countCall('tradingCalls') === 0) return { errors: [ERRORS.callLimit] };
  const requested = parseXml(typeof request.body === 'string' ? request.body : '');
  if (requested?.name !== `${call}Request`) return { errors: [ERRORS.badRequest] };
  switch (call) {
    case 'GetMyeBaySelling':
      return activeList(market, requested);
    case 'GetSellerList':
      return sellerList(market, requested);
    case 'GetSellerEvents':
      return sellerEvents(market, requested);
    case 'GetItem':
      return itemOf(market, requested);
    case 'ReviseInventoryStatus': {
      const { views, errors } = reviseInventoryStatus(market, tools, request, requested);
      const isPartial = views.length > 0 && errors.length > 0;
      return { errors, content: views, ...(isPartial ? { ack: 'PartialFailure' } : {}) };
    }
    case 'ReviseFixedPriceItem': {
      const { views, errors } = reviseFixedPriceItem(market, requested);
      return { errors, content: views };
    }
    default:
      return { errors: [ERRORS.unknownCall] };
  }
}

function authProblem({ tokens }: Market, request: FastifyRequest): TradingError | null {
  const token = headerText(request, 'x-ebay-api-iaf-token');
  if (token === undefined) return ERRORS.noToken;
  const state = tokens.check(token, 'seller');
  if (state === 'good') return null;
  return state === 'expired' ? ERRORS.tokenExpired : ERRORS.badToken;
}

function activeList(market: Market, requested: Element): Answer {
  const list = child(requested, 'ActiveList');
  if (list === undefined) return {};
  const page = pageOf(market, listingsIn(market, 'list'), list);
  if (page === null) return { errors: [ERRORS.badPage] };
  const hasVariations = textAt(requested, 'HideVariations') !== 'true';
  const items = page.part.map((listing) => listedItem(listing, hasVariations));
  return { content: [node('ActiveList', node('ItemArray', ...items), page.result)] };
}

/** @returns null for a page that does not exist */
function pageOf(market: Market, listings: readonly Listing[], requested: Element) {
  const size = Number(textAt(requested, 'Pagination', 'EntriesPerPage') ?? 25);
  const number = Number(textAt(requested, 'Pagination', 'PageNumber') ?? 1);
  if (!(size >= 1 && size <= MAX_PAGE_SIZE && Number.isInteger(number) && number >= 1)) return null;
  const { part, total } = reportedPage(market, listings, (number - 1) * size, size);
  const pages = Math.ceil(total / size);
  const result = node(
    'PaginationResult',
    leaf('TotalNumberOfPages', pages),
    leaf('TotalNumberOfEntries', total),
  );
  return { part, result, hasMore: number < pages, size, number };
}

/** Listings by their start or their end. */
function sellerList(market: Market, requested: Element): Answer {
  const byEnd = child(requested, 'EndTimeFrom') !== undefined;
  const [from, to] = byEnd
    ? rangeOf(requested, 'EndTimeFrom', 'EndTimeTo')
    : rangeOf(requested, 'StartTimeFrom', 'StartTimeTo');
  if (!(to >= from && to - from <= LONGEST_RANGE)) return { errors: [ERRORS.badTimes] };
  const listings = listingsIn(market, 'list').filter(([{ createdAt }]) => {
    const at = byEnd ? endOf(createdAt, market.now()) : createdAt;
    return at >= from && at <= to;
  });
  const page = pageOf(market, listings, requested);
  if (page === null) return { errors: [ERRORS.badPage] };
  const { part, result, hasMore, size, number } = page;
  return {
    content: [
      result,
      leaf('HasMoreItems', hasMore),
      node(
        'ItemArray',
        ...part.map((listing) =>
          detailed(requested, listing, textAt(requested, 'IncludeVariations') === 'true'),
        ),
      ),
      leaf('ItemsPerPage', size),
      leaf('PageNumber', number),
      leaf('ReturnedItemCountActual', part.length),
    ],
  };
}

/** Listings that changed, of the last 48 hours. */
function sellerEvents(market: Market, requested: Element): Answer {
  const [from, to] = rangeOf(requested, 'ModTimeFrom', 'ModTimeTo');
  if (!(to >= from && from >= market.now() - LONGEST_MEMORY)) return { errors: [ERRORS.badTimes] };
  const changed = listingsIn(market, 'list').filter((listing) =>
    listing.some(({ updatedAt }) => updatedAt >= from && updatedAt <= to),
  );
  const hasVariations = textAt(requested, 'HideVariations') !== 'true';
  const items = changed.slice(0, MAX_EVENTS).map((listing) => detailed(requested, listing, hasVariations));
  return { content: [leaf('TimeTo', new Date(to).toISOString()), node('ItemArray', ...items)] };
}

/** The next end of a listing that is renewed again and again. */
function endOf(createdAt: number, now: number): number {
  return createdAt + (Math.floor((now - createdAt) / RENEWED_AFTER) + 1) * RENEWED_AFTER;
}

/** An item with the details that the request asks for. */
function detailed(requested: Element, listing: Listing, hasVariations: boolean): string {
  const isWhole = textAt(requested, 'DetailLevel') === 'ReturnAll';
  return isWhole ? wholeItem(listing) : listedItem(listing, hasVariations);
}

function rangeOf(requested: Element, from: string, to: string): readonly [number, number] {
  return [Date.parse(textAt(requested, from) ?? ''), Date.parse(textAt(requested, to) ?? '')];
}

function itemOf(market: Market, requested: Element): Answer {
  const itemId = textAt(requested, 'ItemID');
  const found = market.itemsIn('item').filter((item) => item.itemId === itemId);
  const [first, ...others] = found;
  if (first === undefined) return { errors: [ERRORS.notFound] };
  return { content: [wholeItem([first, ...others])] };
}
