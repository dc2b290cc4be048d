import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Id } from '#contract/fields.ts';
import {
  IMPORT_KINDS,
  Import,
  ImportLines,
  LinesQuery,
  MapColumns,
  RunImport,
  UploadQuery,
} from '#contract/imports.ts';
import { type ImportRow, listImports, listOwnSellerKeys } from '#db/queries/catalog/imports.ts';
import { readSettings } from '#db/queries/repricing/pricing-context.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { assuranceFor } from '#server/request-guards.ts';
import { uploaderOf } from '#server/uploader-of.ts';
import { recordExport } from '#usecases/catalog/exports/record-export.ts';
import { readLines, rejectedRows, templateOf } from '#usecases/catalog/imports/import-downloads.ts';
import { kindsFor, requireSight } from '#usecases/catalog/imports/import-roles.ts';
import { type ImportSurroundings, importView } from '#usecases/catalog/imports/import-view.ts';
import { mapColumns } from '#usecases/catalog/imports/map-columns.ts';
import { removeImport } from '#usecases/catalog/imports/remove-import.ts';
import { requireImport } from '#usecases/catalog/imports/require-import.ts';
import { startImport } from '#usecases/catalog/imports/start-import.ts';
import { importAgain, uploadImport } from '#usecases/catalog/imports/upload-import.ts';
import { MAX_FILE_BYTES } from '#usecases/catalog/imports/upload-quota.ts';
import { notForTokens } from '#usecases/identity/tokens/require-scope.ts';

const SHOWN = 20;
const FILE_TYPES = ['text/csv', 'text/plain', 'text/tab-separated-values', 'application/octet-stream'];
const Params = z.strictObject({ id: Id });
const TemplateParams = z.strictObject({
  file: z.enum(IMPORT_KINDS.map((kind) => `${kind}.csv` as const)),
});

/** An import that the caller may see: the content of fee files is for administrators, like the fees. */
async function seenImport(deps: AppDeps, request: FastifyRequest, id: string): Promise<ImportRow> {
  const file = await requireImport(deps, Number(id));
  requireSight(file.kind, uploaderOf(request));
  return file;
}

function sendFile(reply: FastifyReply, name: string, body: Readable | string): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(body);
}

/** Imports, from the upload to the report. */
export const importRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  const surroundings = async (): Promise<ImportSurroundings> => {
    const { timeZone } = await readSettings(deps.db);
    return { ownSellers: await listOwnSellerKeys(deps.db), timeZone };
  };
  const view = async (file: ImportRow) => importView(file, await surroundings());

  // The parser belongs to this plugin alone: no other route gets unvalidated bodies.
  await app.register(async (upload) => {
    upload.addContentTypeParser(FILE_TYPES, (_request, payload, done) => done(null, payload));
    upload.post(
      '/api/imports',
      {
        config: { access: 'loggedIn', isUpload: true },
        bodyLimit: MAX_FILE_BYTES,
        schema: { querystring: UploadQuery, body: z.unknown(), response: { 201: Import } },
      },
      async (request, reply) => {
        const { kind, name, from } = request.query as z.output<typeof UploadQuery>;
        const body = request.body instanceof Readable ? request.body : Readable.from([]);
        const by = uploaderOf(request);
        const file =
          from === undefined
            ? await uploadImport(deps, { kind, fileName: name, by }, body)
            : await importAgain(deps, Number(from), { kind, by });
        return reply.code(201).send(await view(file));
      },
    );
  });

  app.get(
    '/api/imports',
    { config: { access: 'loggedIn' }, schema: { response: { 200: z.array(Import) } } },
    async (request) => {
      const files = await listImports(deps.db, SHOWN, kindsFor(uploaderOf(request)));
      const around = await surroundings();
      return files.map((file) => importView(file, around));
    },
  );

  app.get(
    '/api/imports/:id',
    { config: { access: 'loggedIn' }, schema: { params: Params, response: { 200: Import } } },
    async (request) => view(await seenImport(deps, request, request.params.id)),
  );

  app.delete(
    '/api/imports/:id',
    { config: { access: 'loggedIn' }, schema: { params: Params, response: { 204: z.null() } } },
    async (request, reply) => {
      await removeImport(deps, Number(request.params.id), uploaderOf(request));
      return reply.code(204).send(null);
    },
  );

  app.put(
    '/api/imports/:id/mapping',
    {
      config: { access: 'loggedIn' },
      schema: { params: Params, body: MapColumns, response: { 200: Import } },
    },
    async (request) =>
      view(await mapColumns(deps, Number(request.params.id), request.body, uploaderOf(request))),
  );

  app.post(
    '/api/imports/:id/run',
    {
      config: { access: 'loggedIn' },
      schema: { params: Params, body: RunImport, response: { 200: Import } },
    },
    async (request) => {
      const { params, body } = request;
      // Which sellers are yours is a setting, and no token changes settings.
      if (request.apiToken !== null && (body.ownSellers ?? []).length > 0) throw notForTokens();
      return view(
        await startImport(deps, Number(params.id), body, uploaderOf(request), assuranceFor(request)),
      );
    },
  );

  readingRoutes(app as never, deps);
};

function readingRoutes(app: Parameters<FastifyPluginAsyncZod>[0], deps: AppDeps): void {
  app.get(
    '/api/imports/:id/lines',
    {
      config: { access: 'loggedIn' },
      schema: { params: Params, querystring: LinesQuery, response: { 200: ImportLines } },
    },
    async (request) => {
      const { id } = await seenImport(deps, request, request.params.id);
      return readLines(deps.db, id, request.query.status);
    },
  );

  app.get(
    '/api/imports/:id/rejected.csv',
    { config: { access: 'loggedIn' }, schema: { params: Params } },
    async (request, reply) => {
      const { db, now } = deps;
      const { id } = await seenImport(deps, request, request.params.id);
      const { fileName, bytes } = await rejectedRows(db, id);
      await recordExport(db, { name: fileName, filter: {} }, editorOf(request), now());
      return sendFile(reply, fileName, Readable.from(bytes));
    },
  );

  app.get(
    '/api/imports/template/:file',
    { config: { access: 'loggedIn' }, schema: { params: TemplateParams } },
    async ({ params }, reply) => sendFile(reply, params.file, templateOf(params.file)),
  );
}
