import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { ConnectionParams } from '#contract/connections.ts';
import {
  EditOfferAge,
  EditOwnSellers,
  EditRepricingLimits,
  OfferAge,
  OwnSellers,
  RepricingLimits,
} from '#contract/repricing-limits.ts';
import type { Db } from '#db/client.ts';
import { listOwnSellers, readSellersSeen } from '#db/queries/marketplaces/connections/own-sellers.ts';
import type { OfferAge as StoredOfferAge } from '#db/queries/repricing/offer-ages.ts';
import { type RepricingLimitsRow, readRepricingLimits } from '#db/queries/repricing/repricing-limits.ts';
import { decimalFromBps, decimalFromCents } from '#domain/decimal.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { hours, type Millis } from '#domain/units.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { assuranceFor } from '#server/request-guards.ts';
import { saveLimits } from '#usecases/repricing/limits/save-limits.ts';
import { saveOfferAge } from '#usecases/repricing/limits/save-offer-age.ts';
import { saveOwnSellers } from '#usecases/repricing/limits/save-own-sellers.ts';

const MINUTES = 60;
const SUGGESTIONS = 8;

function limitsView(row: RepricingLimitsRow): RepricingLimits {
  return {
    autoRepricing: row.autoRepricing,
    checkIntervalMinutes: row.checkInterval,
    maxOfferAgeHours: row.maxOfferAgeMinutes / MINUTES,
    maxStep: decimalFromBps(row.maxStep),
    maxDailyChange: decimalFromBps(row.maxDailyChange),
    minStep: decimalFromCents(row.minStep),
    cooldownMinutes: row.cooldownMinutes,
    priceWarThreshold: row.priceWarThreshold,
    priceWarPauseHours: row.priceWarPauseMinutes / MINUTES,
    holdHours: row.holdMinutes / MINUTES,
    breakerDropShare: decimalFromBps(row.breakerDropShare),
    breakerDropDepth: decimalFromBps(row.breakerDropDepth),
    breakerSameOutcomeShare: decimalFromBps(row.breakerSameOutcomeShare),
    version: row.version,
  };
}

export function offerAgeView({ age, chosen, automatic }: StoredOfferAge): OfferAge {
  const inHours = (time: Millis): number => time / hours(1);
  return {
    hours: inHours(age),
    chosen: chosen === null ? null : inHours(chosen),
    automatic: inHours(automatic),
  };
}

async function ownSellersView(db: Db): Promise<OwnSellers> {
  const rows = await listOwnSellers(db);
  const seen = await readSellersSeen(db, SUGGESTIONS);
  return {
    marketplaces: MARKETPLACES.map((marketplace) => {
      const here = seen.find((each) => each.marketplace === marketplace);
      return {
        marketplace,
        names: rows.filter((row) => row.marketplace === marketplace).map(({ name }) => name),
        listings: here?.listings ?? 0,
        suggestions: [...(here?.suggestions ?? [])],
      };
    }),
  };
}

export const guardRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.get(
    '/api/repricing-limits',
    { config: { access: 'loggedIn' }, schema: { response: { 200: RepricingLimits } } },
    async () => limitsView(await readRepricingLimits(deps.db)),
  );

  app.put(
    '/api/repricing-limits',
    {
      config: { access: 'admin' },
      schema: { body: EditRepricingLimits, response: { 200: RepricingLimits } },
    },
    async (request) =>
      limitsView(await saveLimits(deps, request.body, editorOf(request), assuranceFor(request))),
  );

  app.put(
    '/api/connections/:marketplace/offer-age',
    {
      config: { access: 'admin' },
      schema: { params: ConnectionParams, body: EditOfferAge, response: { 200: OfferAge } },
    },
    async (request) => {
      const age = request.body.hours === null ? null : hours(request.body.hours);
      const { marketplace } = request.params;
      return offerAgeView(
        await saveOfferAge(deps, marketplace, age, editorOf(request), assuranceFor(request)),
      );
    },
  );

  app.get(
    '/api/own-sellers',
    { config: { access: 'loggedIn' }, schema: { response: { 200: OwnSellers } } },
    async () => ownSellersView(deps.db),
  );

  app.put(
    '/api/own-sellers',
    { config: { access: 'admin' }, schema: { body: EditOwnSellers, response: { 200: OwnSellers } } },
    async (request) => {
      await saveOwnSellers(deps, request.body, editorOf(request));
      return ownSellersView(deps.db);
    },
  );
};
