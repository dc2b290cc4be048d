import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  Run,
  RunDetail,
  RunItemsPage,
  RunItemsQuery,
  RunsPage,
  RunsQuery,
  UndoRun,
} from '#contract/engine.ts';
import { Id } from '#contract/fields.ts';
import { BulkOutcome } from '#contract/listings.ts';
import { RunGroups, RunGroupsQuery } from '#contract/undo-changes.ts';
import { readSoldByRun } from '#db/queries/catalog/profit-sums.ts';
import {
  findRun,
  listRunItems,
  listRuns,
  readRunMoney,
  readRunsMoney,
  readSentByRun,
} from '#db/queries/repricing/run-views.ts';
import type { RunRow } from '#db/queries/repricing/runs.ts';
import { daySpan } from '#domain/time/day-span.ts';
import type { AppDeps } from '#server/app-deps.ts';
import type { Downloads } from '#server/downloads.ts';
import { actorOf, editorOf } from '#server/editor-of.ts';
import { runItemView, runView } from '#server/engine-views.ts';
import { assuranceFor } from '#server/request-guards.ts';
import { AppError } from '#usecases/app-error.ts';
import { undoRun } from '#usecases/catalog/bulk-actions/undo-run.ts';
import { explainItems } from '#usecases/repricing/engine/explain-items.ts';
import { exportRun } from '#usecases/repricing/engine/export-run.ts';
import { repriceNow } from '#usecases/repricing/engine/reprice-now.ts';
import { runGroups } from '#usecases/repricing/engine/run-groups.ts';

const OneRun = z.strictObject({ id: Id });

export const runRoutes: FastifyPluginAsyncZod<{ deps: AppDeps; downloads: Downloads }> = async (
  app,
  { deps, downloads },
) => {
  const { db } = deps;
  const runOf = async (id: string): Promise<RunRow> => {
    const run = await findRun(db, Number(id));
    if (run === null) throw new AppError('not_found', `There is no run ${id}.`);
    return run;
  };

  app.get(
    '/api/runs',
    { config: { access: 'loggedIn' }, schema: { querystring: RunsQuery, response: { 200: RunsPage } } },
    async ({ query: { page, size, withEffect, only, from, to, zone } }) => {
      const wanted = withEffect === undefined ? null : withEffect === 'true';
      const filter = { withEffect: wanted, only, ...daySpan({ from, to }, zone) };
      const { rows, total } = await listRuns(db, page, size, filter);
      const money = await readRunsMoney(
        db,
        rows.filter(({ changed }) => changed > 0).map(({ id }) => id),
        deps.now(),
      );
      const without = { up: 0, down: 0, equalSales: null, equalSalesOf: 0 };
      return { rows: rows.map((run) => ({ ...runView(run), ...(money.get(run.id) ?? without) })), total };
    },
  );

  app.get(
    '/api/runs/groups',
    {
      config: { access: 'loggedIn' },
      schema: { querystring: RunGroupsQuery, response: { 200: RunGroups } },
    },
    async ({ query }) => runGroups(deps, query),
  );

  app.post(
    '/api/runs',
    { config: { access: 'loggedIn' }, schema: { response: { 202: Run } } },
    async (request, reply) => reply.code(202).send(runView(await repriceNow(deps, actorOf(request)))),
  );

  app.get(
    '/api/runs/:id',
    { config: { access: 'loggedIn' }, schema: { params: OneRun, response: { 200: RunDetail } } },
    async ({ params }) => {
      const run = await runOf(params.id);
      const sent = await readSentByRun(db, run.id);
      const sold = await readSoldByRun(db, run.id);
      const money = await readRunMoney(db, run.id, deps.now());
      return { ...runView(run), money, ...(sent !== null && { sent }), ...(sold !== null && { sold }) };
    },
  );

  app.get(
    '/api/runs/:id/items',
    {
      config: { access: 'loggedIn' },
      schema: { params: OneRun, querystring: RunItemsQuery, response: { 200: RunItemsPage } },
    },
    async ({ params, query: { page, size, outcome } }) => {
      const { id } = await runOf(params.id);
      const { rows, total } = await listRunItems(db, id, page, size, outcome ?? null, deps.now());
      return { rows: explainItems(rows).map(runItemView), total };
    },
  );

  app.get(
    '/api/runs/:id/items.csv',
    { config: { access: 'loggedIn' }, schema: { params: OneRun } },
    async (request, reply) => {
      const { id } = await runOf(request.params.id);
      return downloads.send(request, reply, { name: `run-${id}.csv`, filter: {} }, (write) =>
        exportRun(db, id, write),
      );
    },
  );

  app.post(
    '/api/runs/:id/undo',
    {
      config: { access: 'loggedIn' },
      schema: { params: OneRun, body: UndoRun, response: { 200: BulkOutcome } },
    },
    async (request) => {
      const undone = { runId: Number(request.params.id), ...request.body };
      return undoRun(deps, undone, editorOf(request), assuranceFor(request));
    },
  );
};
