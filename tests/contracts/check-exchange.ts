import { buildSchema } from 'graphql';
import { graphqlChecker } from './check-graphql.ts';
import { restChecker } from './check-rest.ts';
import { SHOPIFY } from './document-files.ts';
import type { Deviation, Exchange } from './exchange.ts';
import { readOfficialDocuments } from './official-documents.ts';

/** @param folder of the official documents @returns the deviations of an exchange from them */
export function exchangeChecker(folder: string): (exchange: Exchange) => Deviation[] {
  const documents = readOfficialDocuments(folder);
  const rest = restChecker(documents);
  const graphql = graphqlChecker(buildSchema(documents.shopify, { assumeValidSDL: true }));
  return (exchange) => {
    const { service, method, path } = exchange;
    if (service === 'shopify' && `${method} ${path}` === SHOPIFY.call) return graphql(exchange);
    const unknown = { service, call: `${method} ${path}`, side: 'request', where: 'path' } as const;
    return rest(exchange) ?? [{ ...unknown, problem: 'is no call of it' }];
  };
}
