import { Readable } from 'node:stream';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  PRICE_FILE_HELD_BACK,
  PRICE_FILE_MOMENT,
  PriceFileCleared,
  PriceFileParams,
  PriceFileUploaded,
} from '#contract/price-file.ts';
import { instant } from '#domain/units.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { confirmUpload, openPriceFile, priceFileText } from '#usecases/repricing/prices/price-file.ts';

const config = { access: 'loggedIn' } as const;

/** The prices of marketplaces without a connection. */
export const priceFileRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.get(
    '/api/price-file/:marketplace.csv',
    { config, schema: { params: PriceFileParams } },
    async (request, reply) => {
      const { marketplace } = request.params;
      const file = await openPriceFile(deps, marketplace, editorOf(request));
      const moment = new Date(file.madeAt).toISOString();
      const name = `${marketplace}-prices-${moment.replace(/[:.]/g, '-')}.csv`;
      return reply
        .type('text/csv; charset=utf-8')
        .header(PRICE_FILE_MOMENT, moment)
        .header(PRICE_FILE_HELD_BACK, String(file.heldBack))
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(Readable.from(priceFileText(deps.db, marketplace, file)));
    },
  );

  app.post(
    '/api/price-file/:marketplace/uploaded',
    {
      config,
      schema: { params: PriceFileParams, body: PriceFileUploaded, response: { 200: PriceFileCleared } },
    },
    async (request) => {
      const { marketplace } = request.params;
      const madeAt = instant(Date.parse(request.body.upTo));
      return confirmUpload(deps, marketplace, madeAt, editorOf(request));
    },
  );
};
