import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  DeleteFeesQuery,
  FeeImpact,
  FeeImpactQuestion,
  FeeScheduleInput,
  FeeScheduleView,
  Fees,
  FeeTermsInput,
} from '#contract/fees.ts';
import { Id } from '#contract/fields.ts';
import type { Db } from '#db/client.ts';
import { listMappedCategories } from '#db/queries/catalog/category-map.ts';
import type { LearnedShares } from '#db/queries/catalog/fee-terms.ts';
import { countFeeCategories, listFees, readFeesChecked, type StoredFees } from '#db/queries/catalog/fees.ts';
import { decimalFromBps, decimalFromCents, decimalFromMargin } from '#domain/decimal.ts';
import { categoryMap } from '#domain/fees/fee-category.ts';
import { countedSalesTax } from '#domain/fees/sales-tax.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import type { Bps, Instant } from '#domain/units.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { deletionBlocks, type FeeCoverage, feeCoverage } from '#usecases/catalog/fees/fee-coverage.ts';
import { type FeeImpactFound, feeImpact } from '#usecases/catalog/fees/fee-impact.ts';
import { readFeeTerms, saveFeeTerms } from '#usecases/catalog/fees/fee-terms.ts';
import { removeFees } from '#usecases/catalog/fees/remove-fees.ts';
import { saveFees } from '#usecases/catalog/fees/save-fees.ts';

const config = { access: 'admin' } as const;
const OneMarketplace = z.strictObject({ marketplace: z.enum(MARKETPLACES) });
const OneSchedule = z.strictObject({ id: Id });

function iso(moment: Instant): string {
  return new Date(moment).toISOString();
}

function feesView(
  schedule: StoredFees,
  { inForce }: FeeCoverage,
  blocks: number | null,
  now: Instant,
): FeeScheduleView {
  const { id, marketplace, category, effectiveFrom, bands, createdAt, createdBy } = schedule;
  const { bandKind, edgeBase, origin, publication } = schedule;
  const isComing = effectiveFrom !== null && effectiveFrom > now;
  return {
    id: String(id),
    marketplace,
    category,
    effectiveFrom: effectiveFrom === null ? null : iso(effectiveFrom),
    kind: bandKind,
    edgeBase,
    bands: bands.map(({ upTo, percent, percentTaxed, fixed, perUnit, minimum }) => ({
      upTo: upTo === null ? null : decimalFromCents(upTo),
      percent: decimalFromBps(percent),
      percentTaxed: decimalFromBps(percentTaxed),
      fixed: decimalFromCents(fixed),
      perUnit: decimalFromCents(perUnit),
      minimum: decimalFromCents(minimum),
    })),
    state: inForce.has(schedule) ? 'in_force' : isComing ? 'coming' : 'past',
    listings: inForce.get(schedule) ?? 0,
    deletionBlocks: blocks,
    createdAt: iso(createdAt),
    createdBy,
    origin,
    publication:
      publication === null
        ? null
        : { ...publication, date: publication.date === null ? null : iso(publication.date) },
  };
}

async function readFees(db: Db, now: Instant): Promise<Fees> {
  const schedules = await listFees(db);
  const uses = await countFeeCategories(db);
  const map = categoryMap(await listMappedCategories(db));
  const coverage = feeCoverage(schedules, uses, map, now);
  const checked = await readFeesChecked(db);
  return {
    schedules: schedules.map((schedule) =>
      feesView(schedule, coverage, deletionBlocks(schedule, schedules, uses, map, now), now),
    ),
    uncovered: [...coverage.uncovered],
    terms: (await readFeeTerms(db, now)).map(
      ({ salesTax, learnedSalesTax, adShare, returnShare, learned, ...terms }) => {
        const counted = countedSalesTax(salesTax, learnedSalesTax);
        return {
          ...terms,
          salesTax: shareText(salesTax),
          countedSalesTax: decimalFromBps(counted.share),
          salesTaxSource: counted.source,
          learnedSalesTax: shareText(learnedSalesTax),
          ...sharesView({ adShare, returnShare }),
          learned: learned === null ? null : sharesView(learned),
        };
      },
    ),
    checked: checked === null ? null : { at: iso(checked.at), by: checked.by },
  };
}

function sharesView({ adShare, returnShare }: LearnedShares) {
  return { adShare: shareText(adShare), returnShare: shareText(returnShare) };
}

function shareText(share: Bps | null): string | null {
  return share === null ? null : decimalFromBps(share);
}

function impactView({ worst, ...counts }: FeeImpactFound): FeeImpact {
  return {
    ...counts,
    worst: worst.map(({ listing, marginBefore, marginAfter, marginFloorAfter }) => ({
      listingId: String(listing.id),
      marketplace: listing.marketplace,
      sku: listing.sku,
      title: listing.title,
      currentPrice: decimalFromCents(listing.currentPrice),
      marginBefore: marginBefore === null ? null : decimalFromMargin(marginBefore),
      marginAfter: marginAfter === null ? null : decimalFromMargin(marginAfter),
      marginFloorAfter: marginFloorAfter === null ? null : decimalFromCents(marginFloorAfter),
    })),
  };
}

/** The response for a schedule that was just saved. */
async function readSchedule({ db, now }: AppDeps, id: number): Promise<FeeScheduleView> {
  const { schedules } = await readFees(db, now());
  const saved = schedules.find((schedule) => schedule.id === String(id));
  if (saved === undefined) throw new Error(`fee schedule ${id} is missing right after it was saved`);
  return saved;
}

export const feeRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.get('/api/fees', { config, schema: { response: { 200: Fees } } }, async () =>
    readFees(deps.db, deps.now()),
  );

  app.post(
    '/api/fees',
    { config, schema: { body: FeeScheduleInput, response: { 201: FeeScheduleView } } },
    async (request, reply) => {
      const id = await saveFees(deps, null, request.body, editorOf(request));
      return reply.code(201).send(await readSchedule(deps, id));
    },
  );

  app.post(
    '/api/fees/impact',
    { config, schema: { body: FeeImpactQuestion, response: { 200: FeeImpact } } },
    async (request) => impactView(await feeImpact(deps, request.body)),
  );

  app.put(
    '/api/fees/:id',
    { config, schema: { params: OneSchedule, body: FeeScheduleInput, response: { 200: FeeScheduleView } } },
    async (request) =>
      readSchedule(deps, await saveFees(deps, Number(request.params.id), request.body, editorOf(request))),
  );

  app.put(
    '/api/fee-terms/:marketplace',
    { config, schema: { params: OneMarketplace, body: FeeTermsInput, response: { 200: Fees } } },
    async (request) => {
      await saveFeeTerms(deps, { ...request.body, ...request.params }, editorOf(request));
      return readFees(deps.db, deps.now());
    },
  );

  app.delete(
    '/api/fees/:id',
    { config, schema: { params: OneSchedule, querystring: DeleteFeesQuery, response: { 204: z.null() } } },
    async (request, reply) => {
      const blocking = request.query.blocking ?? null;
      await removeFees(deps, Number(request.params.id), blocking, editorOf(request));
      return reply.code(204).send(null);
    },
  );
};
