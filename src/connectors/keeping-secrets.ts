import { credentialsOf } from '#domain/connections/credentials.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { AccountDeletions } from './account-deletions.ts';
import type { Account, MarketplaceConnector } from './connector.ts';
import type { InventorySource } from './inventory-source.ts';
import type { MarketplaceEvents } from './marketplace-events.ts';
import type { OAuthConsent } from './oauth-consent.ts';
import type { OfferNotifications } from './offer-messages.ts';
import { SecretWords } from './secret-text.ts';
import type { HeldTokens } from './token-vault.ts';

/*
 * The one place that all texts of services pass through: a service that repeats a request in its response must not
 * bring our keys into the database, the log, an email or a screen. From everything that a connector returns or
 * throws, every secret and token of the account is redacted, including those fetched during the call.
 */

/** A connector whose results and errors contain no secret of the account that it was called with. */
export function keepingSecrets(connector: MarketplaceConnector): MarketplaceConnector {
  const { marketplace, consent, readOffers, readFeaturedPrices, readSales, estimateFees } = connector;
  const { itemReads, readMoney, readFigures, prepareToSend, pricesAtOnce } = connector;
  const { migration, bestOffers, finishWrites } = connector;
  const opened = (account: Account) => openKept(marketplace, account);
  return {
    marketplace,
    finalRefusals: connector.finalRefusals,
    itemReads,
    ...(connector.listingsAtOnce && { listingsAtOnce: connector.listingsAtOnce }),
    ...(consent === undefined ? {} : { consent: keepingConsent(marketplace, consent) }),
    ...(migration && {
      migration: {
        atOnce: migration.atOnce,
        migrate: (account, ...rest) => redacted(opened(account), (kept) => migration.migrate(kept, ...rest)),
        readBack: (account, ...rest) =>
          redacted(opened(account), (kept) => migration.readBack(kept, ...rest)),
      },
    }),
    ...(bestOffers && {
      bestOffers: {
        isWanted: (account) => bestOffers.isWanted(account),
        raise: (account, ...rest) => redacted(opened(account), (kept) => bestOffers.raise(kept, ...rest)),
      },
    }),
    ...(pricesAtOnce === undefined ? {} : { pricesAtOnce: (...of) => pricesAtOnce.apply(connector, of) }),
    ...(prepareToSend && {
      prepareToSend: (account, ...rest) =>
        redacted(opened(account), (kept) => prepareToSend.call(connector, kept, ...rest)),
    }),
    ...(finishWrites && {
      finishWrites: (account, ...rest) =>
        redacted(opened(account), (kept) => finishWrites.call(connector, kept, ...rest)),
    }),
    check: (account, ...rest) => redacted(opened(account), (kept) => connector.check(kept, ...rest)),
    sendPrices: (account, ...rest) =>
      redacted(opened(account), (kept) => connector.sendPrices(kept, ...rest)),
    readPrices: (account, ...rest) =>
      redacted(opened(account), (kept) => connector.readPrices(kept, ...rest)),
    readListings: (account, ...rest) =>
      redactedByPage(opened(account), (kept) => connector.readListings(kept, ...rest)),
    ...(readOffers && {
      readOffers: (account, ...rest) =>
        redactedByPage(opened(account), (kept) => readOffers.call(connector, kept, ...rest)),
    }),
    ...(readFeaturedPrices && {
      readFeaturedPrices: (account, ...rest) =>
        redactedByPage(opened(account), (kept) => readFeaturedPrices.call(connector, kept, ...rest)),
    }),
    ...(readSales && {
      readSales: (account, ...rest) =>
        redactedByPage(opened(account), (kept) => readSales.call(connector, kept, ...rest)),
    }),
    ...(estimateFees && {
      estimateFees: (account, ...rest) =>
        redactedByPage(opened(account), (kept) => estimateFees.call(connector, kept, ...rest)),
    }),
    ...(readMoney && {
      readMoney: (account, ...rest) =>
        redactedByPage(opened(account), (kept) => readMoney.call(connector, kept, ...rest)),
    }),
    ...(readFigures && {
      readFigures: (account, ...rest) =>
        redactedByPage(opened(account), (kept) => readFigures.call(connector, kept, ...rest)),
    }),
  };
}

/** The same for messages about changed offers. */
export function keepingSecretsOfOffers(
  marketplace: Marketplace,
  { subscribe, listen }: OfferNotifications,
): OfferNotifications {
  return {
    subscribe: (account, ...rest) =>
      redacted(openKept(marketplace, account), (kept) => subscribe(kept, ...rest)),
    listen: (account, sink, signal) => {
      const kept = openKept(marketplace, account);
      const { words } = kept;
      return redacted(kept, (one) =>
        listen(
          one,
          {
            latest: (keys) => sink.latest(keys),
            commit: (changes) => sink.commit(words.cutIn(changes)),
            onError: async (problem) => sink.onError?.(words.cutIn(problem)),
          },
          signal,
        ),
      );
    },
  };
}

/** The same for events. */
export function keepingSecretsOfEvents(
  marketplace: Marketplace,
  hooks: MarketplaceEvents,
): MarketplaceEvents {
  const opened = (account: Account) => openKept(marketplace, account);
  return {
    isPossible: (account, address) => hooks.isPossible(account, address),
    subscribe: (account, ...rest) => redacted(opened(account), (kept) => hooks.subscribe(kept, ...rest)),
    unsubscribe: (account, ...rest) => redacted(opened(account), (kept) => hooks.unsubscribe(kept, ...rest)),
    eventOf: (account, delivery) => opened(account).words.cutIn(hooks.eventOf(account, delivery)),
  };
}

/** The same for messages about deleted accounts: the account is opened only where a key has to be read. */
export function keepingSecretsOfDeletions(
  marketplace: Marketplace,
  deletions: AccountDeletions,
): AccountDeletions {
  return {
    messageOf: async (account, ...rest) => {
      let words = new SecretWords([]);
      const opened = async (): Promise<Account> => {
        const kept = openKept(marketplace, await account());
        words = kept.words;
        return kept.one;
      };
      try {
        const message = await deletions.messageOf(opened, ...rest);
        return words.cutIn(message);
      } catch (error) {
        throw words.cutError(error);
      }
    },
  };
}

/** The same for an inventory management service. */
export function keepingSecretsOfStock(source: InventorySource): InventorySource {
  const opened = (apiKey: string) => ({ one: apiKey, words: new SecretWords([apiKey]) });
  return {
    readSkus: (apiKey, signal) => redactedByPage(opened(apiKey), (key) => source.readSkus(key, signal)),
    check: (apiKey, signal) => redacted(opened(apiKey), (key) => source.check(key, signal)),
  };
}

/** The address of the page and the tokens are meant to contain secrets: only errors are redacted. */
function keepingConsent(marketplace: Marketplace, way: OAuthConsent): OAuthConsent {
  return {
    pageFor: (credentials, request) => way.pageFor(credentials, request),
    exchange: async (credentials, answer, signal) => {
      const { code, verifier } = answer;
      const words = new SecretWords([...secretsIn(marketplace, credentials), code, verifier]);
      try {
        return await way.exchange(credentials, answer, signal);
      } catch (error) {
        throw words.cutError(error);
      }
    },
  };
}

/** The arguments of a call, and the texts to redact. */
interface Kept<One> {
  readonly one: One;
  readonly words: SecretWords;
}

function openKept(marketplace: Marketplace, { credentials, tokens, findings }: Account): Kept<Account> {
  const words = new SecretWords(secretsIn(marketplace, credentials));
  const learn = (held: HeldTokens): HeldTokens => {
    for (const token of Object.values(held)) if (token !== undefined) words.learn(token.value);
    return held;
  };
  const one: Account = {
    credentials,
    ...(findings === undefined ? {} : { findings }),
    tokens: {
      read: async () => learn(await tokens.read()),
      renew: async (kind, seen, fetch) => {
        const fetched = async (held: HeldTokens) => learn(await fetch(learn(held)));
        return learn(await tokens.renew(kind, seen, fetched));
      },
      learn: (token) => words.learn(token),
    },
  };
  return { one, words };
}

function secretsIn(marketplace: Marketplace, credentials: Account['credentials']): string[] {
  return credentialsOf(marketplace).flatMap(({ name, isSecret }) => {
    const value = isSecret ? (credentials[name] ?? '').trim() : '';
    return value === '' ? [] : [value];
  });
}

async function redacted<One, Answer>(
  { one, words }: Kept<One>,
  ask: (one: One) => Promise<Answer>,
): Promise<Answer> {
  try {
    return words.cutIn(await ask(one));
  } catch (error) {
    throw words.cutError(error);
  }
}

async function* redactedByPage<One, Page, End>(
  { one, words }: Kept<One>,
  ask: (one: One) => AsyncGenerator<Page, End>,
): AsyncGenerator<Page, End> {
  const pages = ask(one);
  try {
    for (;;) {
      const step = await pages.next();
      if (step.done === true) return words.cutIn(step.value);
      yield words.cutIn(step.value);
    }
  } catch (error) {
    throw words.cutError(error);
  } finally {
    // A consumer that stops early ends the sync too.
    await pages.return(undefined as End);
  }
}
