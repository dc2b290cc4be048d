import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { BusinessPriceSetting } from '#contract/business-prices.ts';
import { ConnectionParams } from '#contract/connections.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { saveBusinessPricePolicy } from '#usecases/repricing/limits/save-business-price-policy.ts';

/** Whether prices for business buyers follow the regular price. */
export const businessPriceRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.put(
    '/api/connections/:marketplace/business-prices',
    {
      config: { access: 'admin' },
      schema: {
        params: ConnectionParams,
        body: BusinessPriceSetting,
        response: { 200: BusinessPriceSetting },
      },
    },
    async (request) => {
      const { policy } = request.body;
      await saveBusinessPricePolicy(deps, request.params.marketplace, policy, editorOf(request));
      return { policy };
    },
  );
};
