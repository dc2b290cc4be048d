import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { EditImpact, EditImpactRequest } from '#contract/edit-impact.ts';
import { LimitPlan, PreviewLimits, SetLimits } from '#contract/limit-plan.ts';
import {
  ActionResult,
  BulkOutcome,
  DeleteListings,
  EditListings,
  type ListingSelection,
  UndeleteListings,
  UndoAction,
} from '#contract/listings.ts';
import { ApplyMany, ApplyPreview, HoldListings, OnSelection } from '#contract/price-actions.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { assuranceFor } from '#server/request-guards.ts';
import {
  applyToSelection,
  outcomeOf,
  selectListings,
} from '#usecases/catalog/bulk-actions/apply-to-selection.ts';
import type { BulkAction } from '#usecases/catalog/bulk-actions/bulk-action.ts';
import { editImpact } from '#usecases/catalog/bulk-actions/edit-impact.ts';
import { setLimits } from '#usecases/catalog/bulk-actions/set-limits.ts';
import { undoAction } from '#usecases/catalog/bulk-actions/undo-action.ts';
import { bringListingsBack } from '#usecases/catalog/listings/delete-listings.ts';
import { planLimits } from '#usecases/catalog/listings/plan-limits.ts';
import { previewApply } from '#usecases/repricing/prices/preview-apply.ts';

const config = { access: 'loggedIn' } as const;

/** User actions on many listings. */
export const bulkActionRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  const action = (
    request: FastifyRequest,
    what: BulkAction,
    selection: ListingSelection,
  ): Promise<ActionResult> =>
    applyToSelection(deps, what, selection, editorOf(request), assuranceFor(request));

  app.post(
    '/api/listings/edit',
    { config, schema: { body: EditListings, response: { 200: ActionResult } } },
    async (request) => {
      const { selection, fields } = request.body;
      return action(request, { kind: 'edit', fields }, selection);
    },
  );

  app.post(
    '/api/listings/edit-impact',
    { config, schema: { body: EditImpactRequest, response: { 200: EditImpact } } },
    async (request) => {
      const { selection, fields } = request.body;
      return editImpact(deps, await selectListings(deps.db, selection, deps.now()), fields);
    },
  );

  app.post(
    '/api/listings/limits-preview',
    { config, schema: { body: PreviewLimits, response: { 200: LimitPlan } } },
    async (request) => {
      const { selection, limits } = request.body;
      return (await planLimits(deps, await selectListings(deps.db, selection, deps.now()), limits)).plan;
    },
  );

  app.post(
    '/api/listings/limits',
    { config, schema: { body: SetLimits, response: { 200: ActionResult } } },
    async (request) => setLimits(deps, request.body, editorOf(request), assuranceFor(request)),
  );

  app.post(
    '/api/listings/delete',
    { config, schema: { body: DeleteListings, response: { 200: ActionResult } } },
    async (request) => action(request, { kind: 'delete' }, request.body.selection),
  );

  app.post(
    '/api/listings/undelete',
    { config, schema: { body: UndeleteListings, response: { 200: BulkOutcome } } },
    async (request) => {
      const ids = request.body.ids.map(Number);
      return outcomeOf(await bringListingsBack(deps, ids, editorOf(request)), null);
    },
  );

  app.post(
    '/api/listings/hold',
    { config, schema: { body: HoldListings, response: { 200: ActionResult } } },
    async (request) => {
      const { selection, hours, reason } = request.body;
      return action(request, { kind: 'hold', howLong: hours, reason }, selection);
    },
  );

  for (const kind of ['resume', 'uploaded'] as const) {
    app.post(
      `/api/listings/${kind}`,
      { config, schema: { body: OnSelection, response: { 200: ActionResult } } },
      async (request) => action(request, { kind }, request.body.selection),
    );
  }

  app.post(
    '/api/listings/apply-preview',
    { config, schema: { body: OnSelection, response: { 200: ApplyPreview } } },
    async (request) => previewApply(deps, await selectListings(deps.db, request.body.selection, deps.now())),
  );

  app.post(
    '/api/listings/apply',
    { config, schema: { body: ApplyMany, response: { 200: ActionResult } } },
    async (request) => {
      const { selection, despiteReasons = [] } = request.body;
      return action(request, { kind: 'apply', despiteReasons }, selection);
    },
  );

  app.post(
    '/api/listings/undo',
    { config, schema: { body: UndoAction, response: { 200: BulkOutcome } } },
    async (request) => undoAction(deps, request.body, editorOf(request), assuranceFor(request)),
  );
};
