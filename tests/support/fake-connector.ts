import type { Account, ConnectionReport, MarketplaceConnector } from '#connectors/connector.ts';
import type { ListingMigration } from '#connectors/listing-migration.ts';
import type { OAuthConsent } from '#connectors/oauth-consent.ts';
import type { Marketplace } from '#domain/marketplaces.ts';

/** A marketplace that a test can ask whether it answers, and nothing else. */
export interface FakeConnector {
  readonly connector: MarketplaceConnector;
  /** The accounts it was asked with. */
  readonly asked: Account[];
  /** What it answers from now on. */
  answer: (account: Account, signal: AbortSignal) => Promise<ConnectionReport>;
}

export function fakeConnector(marketplace: Marketplace): FakeConnector {
  const unused = (): never => {
    throw new Error(`${marketplace} was asked for more than an answer`);
  };
  const fake: FakeConnector = {
    asked: [],
    answer: async () => ({ shopName: 'Mug Shop', notes: [], endsAt: null }),
    connector: {
      marketplace,
      finalRefusals: new Set(),
      itemReads: { callsPerSecond: 1, listingsPerCall: 1 },
      check: (account, signal) => {
        fake.asked.push(account);
        return fake.answer(account, signal);
      },
      readListings: unused,
      sendPrices: unused,
      readPrices: unused,
    },
  };
  return fake;
}

/** A consent page that takes whatever comes, and the refresh token that it is worth. */
export function fakeConsent(refreshToken: string): OAuthConsent {
  return {
    pageFor: (_, { state }) => `https://marketplace.example.com/consent?${new URLSearchParams({ state })}`,
    exchange: async () => ({ refreshToken, endsAt: null }),
  };
}

/** A model to move listings into, in which nothing is ever moved: for what only asks for it. */
export const FAKE_MIGRATION: ListingMigration = {
  atOnce: 5,
  migrate: async () => [],
  readBack: async (_, { itemId }) => ({ itemId, kind: 'unknown', message: 'No answer.' }),
};
