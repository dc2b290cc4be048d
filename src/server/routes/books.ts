import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { Books, CloseBooks, OpenBooks, OpenBooksQuery, ReopenBooks } from '#contract/books.ts';
import type { Db } from '#db/client.ts';
import { readClosedDay } from '#db/queries/catalog/closed-books.ts';
import { readDayZone } from '#db/queries/catalog/shop-days.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { closeBooks, openBooks, reopenBooks } from '#usecases/catalog/books/close-books.ts';

const config = { access: 'admin' } as const;

/** Closing the books: the sums of closed days never change. */
export const bookRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.get('/api/books', { config: { access: 'loggedIn' }, schema: { response: { 200: Books } } }, () =>
    readBooks(deps.db),
  );

  app.get(
    '/api/books/open',
    { config, schema: { querystring: OpenBooksQuery, response: { 200: OpenBooks } } },
    async ({ query }) => openBooks(deps.db, query.day, deps.now()),
  );

  app.post(
    '/api/books/close',
    { config, schema: { body: CloseBooks, response: { 200: Books } } },
    async (request) => {
      const { day } = request.body;
      await closeBooks(deps.db, day, editorOf(request), deps.now());
      return readBooks(deps.db);
    },
  );

  app.post(
    '/api/books/reopen',
    { config, schema: { body: ReopenBooks, response: { 200: Books } } },
    async (request) => {
      const { day } = request.body;
      await reopenBooks(deps.db, day, editorOf(request), deps.now());
      return readBooks(deps.db);
    },
  );
};

async function readBooks(db: Db): Promise<Books> {
  return { closedUntil: await readClosedDay(db), timeZone: await readDayZone(db) };
}
