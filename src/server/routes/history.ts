import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { HistoryFilter, HistoryPage, HistoryQuery } from '#contract/history.ts';
import { BulkOutcome } from '#contract/listings.ts';
import { ChangeFilter, UndoChanges, UndoPreview } from '#contract/undo-changes.ts';
import { createListTotals } from '#db/queries/catalog/list-totals.ts';
import { readFailedPrices } from '#db/queries/marketplaces/sending/failed-prices.ts';
import { readHistory } from '#db/queries/repricing/history.ts';
import type { HistoryFilter as StoredFilter } from '#db/queries/repricing/history-filter.ts';
import { daySpan } from '#domain/time/day-span.ts';
import type { AppDeps } from '#server/app-deps.ts';
import type { Downloads } from '#server/downloads.ts';
import { editorOf } from '#server/editor-of.ts';
import { assuranceFor } from '#server/request-guards.ts';
import { undoChanges } from '#usecases/catalog/bulk-actions/undo-changes.ts';
import { exportHistory } from '#usecases/catalog/exports/export-history.ts';
import { previewUndo } from '#usecases/repricing/prices/preview-undo.ts';

/** A ledger has millions of wide rows: they are counted exactly only as far as users page. */
const MAX_COUNTED_ROWS = 20_000;

export const historyRoutes: FastifyPluginAsyncZod<{ deps: AppDeps; downloads: Downloads }> = async (
  app,
  { deps, downloads },
) => {
  const onFailure = (error: unknown): void => deps.log.warn({ err: error }, 'price history not counted');
  const totals = createListTotals(deps.db, onFailure, MAX_COUNTED_ROWS);

  app.get(
    '/api/history',
    { config: { access: 'loggedIn' }, schema: { querystring: HistoryQuery, response: { 200: HistoryPage } } },
    async ({ query: { page, size, ...filter } }) => {
      const rows = await readHistory(deps.db, totals, { ...withMoments(filter), page, size }, deps.now());
      const { zone: _, listing, ...narrower } = filter;
      if (page > 1 || Object.values(narrower).some((value) => value !== undefined)) return rows;
      const listingId = listing === undefined ? null : Number(listing);
      const failed = await readFailedPrices(deps.db, listingId, deps.now());
      return { ...rows, failed: failed.rows, failedTotal: failed.total };
    },
  );

  app.get(
    '/api/history/undo-preview',
    { config: { access: 'loggedIn' }, schema: { querystring: ChangeFilter, response: { 200: UndoPreview } } },
    async ({ query }) => previewUndo(deps, query),
  );

  app.post(
    '/api/history/undo',
    { config: { access: 'loggedIn' }, schema: { body: UndoChanges, response: { 200: BulkOutcome } } },
    async (request) => undoChanges(deps, request.body, editorOf(request), assuranceFor(request)),
  );

  app.get(
    '/api/history/export.csv',
    { config: { access: 'loggedIn' }, schema: { querystring: HistoryFilter } },
    async (request, reply) =>
      downloads.send(request, reply, { name: 'price-history.csv', filter: request.query }, (write) =>
        exportHistory(deps.db, withMoments(request.query), deps.now(), write),
      ),
  );
};

/** Days are those of the request's time zone; the ledger has timestamps. */
function withMoments({ from, to, zone, ...filter }: HistoryFilter): StoredFilter {
  return { ...filter, ...daySpan({ from, to }, zone) };
}
