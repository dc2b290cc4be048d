import type { FastifyRequest } from 'fastify';
import { type DocumentNode, execute, GraphQLError, Kind, parse, validate } from 'graphql';
import { z } from 'zod';
import type { AdapterContext, MarketplaceAdapter } from '#sandbox/adapters/adapter.ts';
import { BulkOperations } from './bulk-operations.ts';
import { Points } from './points.ts';
import { PriceUpdates } from './price-updates.ts';
import { costOf } from './query-cost.ts';
import { SCHEMA } from './schema.ts';
import { type ShopContext, shopRoot } from './shop-root.ts';
import { addAuthRoutes, requireAuth } from './shopify-auth.ts';
import { SHOPIFY_ERROR_FORMAT, shopifyRefusal } from './shopify-errors.ts';
import { WebhookSubscriptions } from './webhooks.ts';

const VERSION = '2026-10';
/** The largest cost of a single query, in points. */
const MAX_QUERY_COST = 1_000;

const Asked = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});
type Asked = z.output<typeof Asked>;

/** Shopify's GraphQL Admin API, as far as a repricer uses it. */
export function shopifyAdapter(tools: AdapterContext): MarketplaceAdapter {
  const market = tools.world.market('shopify');
  const bulk = new BulkOperations(market, () => tools.address());
  const root = shopRoot(market, bulk, new PriceUpdates(market, tools), new WebhookSubscriptions(market));
  bulk.answerFrom(root);
  const points = new Points(tools.world.now, tools.keepsLimits);
  return {
    name: 'shopify',
    errorFormat: SHOPIFY_ERROR_FORMAT,
    limits: {},
    operationOf,
    register: (app) => {
      addAuthRoutes(app, market);
      bulk.register(app);
      app.register(async (calls) => {
        requireAuth(calls, market, VERSION);
        // Shopify answers an unknown version with a supported one.
        calls.post('/admin/api/:version/graphql.json', async (request) => {
          const requested = Asked.safeParse(request.body);
          if (!requested.success) throw shopifyRefusal(400);
          return answer(requested.data, root, { request, isBulk: false }, points);
        });
      });
    },
  };
}

/** All calls share one path: the first requested field names the operation. */
function operationOf({ body }: FastifyRequest): string | null {
  const requested = Asked.safeParse(body);
  const document = requested.success ? documentOf(requested.data.query) : null;
  if (document === null || document instanceof GraphQLError) return null;
  for (const part of document.definitions) {
    const first = part.kind === Kind.OPERATION_DEFINITION ? part.selectionSet.selections[0] : undefined;
    if (first?.kind === Kind.FIELD) return first.name.value;
  }
  return null;
}

function documentOf(query: string): DocumentNode | GraphQLError {
  try {
    return parse(query);
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

async function answer(
  requested: Asked,
  root: object,
  context: ShopContext,
  points: Points,
): Promise<unknown> {
  const document = documentOf(requested.query);
  if (document instanceof GraphQLError) return { errors: [document] };
  const errors = validate(SCHEMA, document);
  if (errors.length > 0) return { errors };
  const variables = requested.variables ?? {};
  const requestedQueryCost = costOf(document, variables);
  if (requestedQueryCost > MAX_QUERY_COST) {
    const message = `Query cost is ${requestedQueryCost}, which exceeds the single query max cost limit (${MAX_QUERY_COST}).`;
    const extensions = { code: 'MAX_COST_EXCEEDED', cost: requestedQueryCost, maxCost: MAX_QUERY_COST };
    return { errors: [{ message, extensions }] };
  }
  const cost = (actualQueryCost: number | null) => ({
    cost: { requestedQueryCost, actualQueryCost, throttleStatus: points.status() },
  });
  if (!points.spend(requestedQueryCost)) {
    const throttled = { message: 'Throttled', extensions: { code: 'THROTTLED' } };
    return { errors: [throttled], extensions: cost(null) };
  }
  const done = await execute({
    schema: SCHEMA,
    document,
    rootValue: root,
    contextValue: context,
    variableValues: variables,
    ...(requested.operationName == null ? {} : { operationName: requested.operationName }),
  });
  return { ...done, extensions: cost(requestedQueryCost) };
}
