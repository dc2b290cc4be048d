import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Id } from '#contract/fields.ts';
import { EditView, NewView, type View, type ViewList, Views, ViewsQuery } from '#contract/views.ts';
import { listViews } from '#db/queries/catalog/views.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { assuranceFor, sessionOf } from '#server/request-guards.ts';
import { createView } from '#usecases/catalog/views/create-view.ts';
import { deleteView } from '#usecases/catalog/views/delete-view.ts';
import { editView } from '#usecases/catalog/views/edit-view.ts';
import { restoreView } from '#usecases/catalog/views/restore-view.ts';
import type { ViewEditor } from '#usecases/catalog/views/view-deps.ts';

const config = { access: 'loggedIn' } as const;
const OneView = z.strictObject({ id: Id });
const CreatedView = z.object({ id: Id });
const Saved = z.object({});

function viewEditorOf(request: FastifyRequest): ViewEditor {
  const { twoFactor } = assuranceFor(request);
  return { ...editorOf(request), isAdmin: sessionOf(request).user.role === 'admin', twoFactor };
}

export const viewRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.get(
    '/api/views',
    { config, schema: { querystring: ViewsQuery, response: { 200: Views } } },
    async (request) => ({ views: await viewsOf(deps, request.query.list, sessionOf(request).user.id) }),
  );

  app.post(
    '/api/views',
    { config, schema: { body: NewView, response: { 201: CreatedView } } },
    async (request, reply) => {
      const id = await createView(deps, request.body, viewEditorOf(request));
      return reply.code(201).send({ id: String(id) });
    },
  );

  app.put(
    '/api/views/:id',
    { config, schema: { params: OneView, body: EditView, response: { 200: Saved } } },
    async (request) => {
      await editView(deps, Number(request.params.id), request.body, viewEditorOf(request));
      return {};
    },
  );

  app.delete(
    '/api/views/:id',
    { config, schema: { params: OneView, response: { 200: Saved } } },
    async (request) => {
      await deleteView(deps, Number(request.params.id), viewEditorOf(request));
      return {};
    },
  );

  app.post(
    '/api/views/:id/restore',
    { config, schema: { params: OneView, response: { 200: Saved } } },
    async (request) => {
      await restoreView(deps, Number(request.params.id), viewEditorOf(request));
      return {};
    },
  );
};

async function viewsOf({ db }: AppDeps, list: ViewList, userId: string): Promise<View[]> {
  const rows = await listViews(db, list, userId);
  return rows.map(({ id, ownerId, name, query, layout, isShared, owner, version }) => ({
    id: String(id),
    list,
    name,
    query,
    isShared,
    owner,
    version,
    layout: layoutOf(layout),
    isMine: ownerId === userId,
  }));
}

type Listed = Awaited<ReturnType<typeof listViews>>[number];

function layoutOf({ order, hidden, shown, ...rest }: Listed['layout']): View['layout'] {
  const requested = shown === undefined ? {} : { shown: [...shown] };
  return { ...rest, ...requested, order: [...order], hidden: [...hidden] };
}
