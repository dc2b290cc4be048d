import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pathText, queryText } from '#sandbox/adapters/query.ts';
import { CREDENTIALS } from '#sandbox/credentials.ts';
import type { Market } from '#sandbox/world/market.ts';
import { USER_ID } from './etsy-auth.ts';
import { etsyRefusal } from './etsy-errors.ts';
import { pageOf } from './etsy-pages.ts';
import { listingsIn, stateOf } from './listing-groups.ts';

export const SHOP_ID = 87_654_321;
const API = '/v3/application';

/** @throws Refusal for any shop but the sandbox's only one */
export function checkShop(request: FastifyRequest, status: 403 | 404): void {
  if (pathText(request, 'shopId') === String(SHOP_ID)) return;
  throw etsyRefusal(status, status === 404 ? 'Shop not found' : undefined);
}

export function addShops(app: FastifyInstance, market: Market): void {
  app.get(`${API}/shops`, { config: { operation: 'findShops' } }, async (request) => {
    const wanted = queryText(request, 'shop_name')?.toLowerCase() ?? '';
    const isOurs = wanted !== '' && CREDENTIALS.etsy.shopName.toLowerCase().includes(wanted);
    return pageOf(request, isOurs ? [market] : [], shopView);
  });
  app.get(`${API}/shops/:shopId`, { config: { operation: 'getShop' } }, async (request) => {
    checkShop(request, 404);
    return shopView(market);
  });
}

export function addSelf(app: FastifyInstance): void {
  app.get(`${API}/users/me`, { config: { operation: 'getMe' } }, async () => ({
    user_id: USER_ID,
    shop_id: SHOP_ID,
  }));
}

function shopView(market: Market) {
  const { shopName } = CREDENTIALS.etsy;
  const active = listingsIn(market).filter((group) => stateOf(group) === 'active');
  return {
    shop_id: SHOP_ID,
    user_id: USER_ID,
    shop_name: shopName,
    title: 'Things for home and hand',
    currency_code: 'USD',
    is_vacation: false,
    listing_active_count: active.length,
    digital_listing_count: 0,
    login_name: 'sandboxseller',
    accepts_custom_requests: false,
    url: `https://www.etsy.example.com/shop/${shopName}`,
    num_favorers: 0,
    languages: ['en-US'],
    is_shop_us_based: true,
    shop_location_country_iso: 'US',
    is_etsy_payments_onboarded: true,
    transaction_sold_count: market.orders().length,
  };
}
