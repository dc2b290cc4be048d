import { z } from 'zod';
import type { ConnectionReport } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { AmazonCalls } from './amazon-calls.ts';
import { read, Text } from './amazon-responses.ts';
import type { AmazonShop } from './amazon-shop.ts';
import { nothingListed } from './found-sellers.ts';
import { hasListings } from './listing-item.ts';
import { mayReadMoney } from './read-money.ts';

const Participations = z.object({
  payload: z.array(
    z.object({
      marketplace: z.object({ id: z.string(), defaultCurrencyCode: z.string() }),
      participation: z.object({ isParticipating: z.boolean(), hasSuspendedListings: z.boolean() }),
      storeName: Text.nullish(),
    }),
  ),
});

/**
 * Requests where the account sells, one listing and the last transactions: the first needs no seller ID and neither of
 * the two other permissions.
 */
export async function checkConnection(
  calls: AmazonCalls,
  shop: AmazonShop,
  signal: AbortSignal,
): Promise<ConnectionReport> {
  const path = '/sellers/v1/marketplaceParticipations';
  const answer = await calls.ask(shop, { method: 'GET', path, operation: 'participations' }, signal);
  const { payload } = read(Participations, answer.body, 'list of marketplaces');
  const here = payload.find(({ marketplace }) => marketplace.id === shop.marketplaceId);
  if (here?.participation.isParticipating !== true) {
    throw new ConnectorError(
      'refused',
      `The account does not sell in the Amazon store ${shop.marketplaceId}. Compare the marketplace ID in the settings.`,
    );
  }
  const notes: string[] = [];
  if (here.participation.hasSuspendedListings) notes.push('Listings of this account are inactive on Amazon.');
  if (here.marketplace.defaultCurrencyCode !== 'USD') {
    notes.push('This store does not sell in US dollars: its prices are not read and not changed.');
  }
  try {
    if (!(await hasListings(calls, shop, signal))) notes.push(nothingListed(shop));
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.fault !== 'permission') throw error;
    notes.push(error.sentence);
  }
  if (!(await mayReadMoney(calls, shop, signal))) {
    notes.push(
      'What Amazon booked cannot be read, and profits stay estimated: give the application the role Finance and Accounting.',
    );
  }
  return { shopName: here.storeName?.trim() || null, notes, endsAt: null };
}
