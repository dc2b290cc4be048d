import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ConnectionParams } from '#contract/connections.ts';
import { EditPolicy, LeaveEdit, ListingEdit, RepairEdit } from '#contract/external-edits.ts';
import { Id } from '#contract/fields.ts';
import { PricedListing } from '#contract/price-actions.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { listingRow } from '#server/listing-row.ts';
import { saveExternalEditPolicy } from '#usecases/repricing/limits/save-external-edit-policy.ts';
import {
  findExternalEdit,
  leaveExternalEdit,
  repairExternalEdit,
} from '#usecases/repricing/prices/decide-external-edit.ts';

const config = { access: 'loggedIn' } as const;
const OfListing = z.strictObject({ id: Id });

/** Prices that were changed on a marketplace, and what users decide about them. */
export const externalEditRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.get(
    '/api/listings/:id/external-edit',
    { config, schema: { params: OfListing, response: { 200: ListingEdit } } },
    async ({ params }) => {
      const edit = await findExternalEdit(deps.db, Number(params.id), deps.now());
      if (edit === null) return { edit: null };
      const { id, marketplace, foundAt, price, priceBefore, problem, ...of } = edit;
      return {
        edit: {
          id: String(id),
          marketplace,
          foundAt: new Date(foundAt).toISOString(),
          price: decimalFromCents(price),
          priceBefore: decimalFromCents(priceBefore),
          problem,
          unrepairedBecause: of.unrepairedBecause,
          repairPrice: decimalFromCents(of.repairPrice),
          isInForce: of.isInForce,
        },
      };
    },
  );

  app.post(
    '/api/listings/:id/external-edit/leave',
    { config, schema: { params: OfListing, body: LeaveEdit, response: { 200: PricedListing } } },
    async (request) => {
      const { id } = request.params;
      await leaveExternalEdit(deps, Number(id), Number(request.body.edit), editorOf(request));
      return listingRow(deps, id);
    },
  );

  app.post(
    '/api/listings/:id/external-edit/repair',
    { config, schema: { params: OfListing, body: RepairEdit, response: { 200: PricedListing } } },
    async (request) => {
      const { id } = request.params;
      const { edit, ...seen } = request.body;
      await repairExternalEdit(deps, Number(id), { id: Number(edit), ...seen }, editorOf(request));
      return listingRow(deps, id);
    },
  );

  app.put(
    '/api/connections/:marketplace/external-edits',
    {
      config: { access: 'admin' },
      schema: { params: ConnectionParams, body: EditPolicy, response: { 200: EditPolicy } },
    },
    async (request) => {
      const { policy } = request.body;
      await saveExternalEditPolicy(deps, request.params.marketplace, policy, editorOf(request));
      return { policy };
    },
  );
};
