import type { AccountDeletions } from '#connectors/account-deletions.ts';
import { createAmazon } from '#connectors/amazon/amazon.ts';
import { createOfferNotifications } from '#connectors/amazon/offer-notifications.ts';
import { createAccountDeletions } from '#connectors/ebay/account-deletion.ts';
import { createEbay } from '#connectors/ebay/ebay.ts';
import { createEtsy } from '#connectors/etsy/etsy.ts';
import type { HttpClientOptions, SeenCall } from '#connectors/http/http-client.ts';
import type { IdentityProvider } from '#connectors/identity-provider.ts';
import type { InventorySource } from '#connectors/inventory-source.ts';
import {
  keepingSecrets,
  keepingSecretsOfDeletions,
  keepingSecretsOfEvents,
  keepingSecretsOfOffers,
  keepingSecretsOfStock,
} from '#connectors/keeping-secrets.ts';
import { createMichaels } from '#connectors/michaels/michaels.ts';
import type { OpenObjectStore } from '#connectors/object-store.ts';
import type { OfferNotifications } from '#connectors/offer-messages.ts';
import { createIdentityProvider } from '#connectors/openid/openid-provider.ts';
import { openS3Store } from '#connectors/s3/open-s3-store.ts';
import type { ServiceAddresses } from '#connectors/service-addresses.ts';
import { createShopify } from '#connectors/shopify/shopify.ts';
import { createShopifyWebhooks } from '#connectors/shopify/shopify-webhooks.ts';
import { createVeeqo } from '#connectors/veeqo/veeqo.ts';
import { createWalmart } from '#connectors/walmart/walmart.ts';
import { createWalmartWebhooks } from '#connectors/walmart/walmart-webhooks.ts';
import { openWebhookSender } from '#connectors/webhook-receivers/open-webhook-sender.ts';
import type { WebhookSender } from '#connectors/webhook-sender.ts';
import type { Db } from '#db/client.ts';
import { dataKeysOf } from '#usecases/identity/encryption/data-keys.ts';
import type { SecretKeys } from '#usecases/identity/encryption/secret-keys.ts';
import type { ConsentingConnections } from '#usecases/marketplaces/connections/connections.ts';
import { type Connectors, openConnections } from '#usecases/marketplaces/connections/open-connections.ts';
import type { EventDeps } from '#usecases/marketplaces/events/receive-event.ts';
import { masterKeysOf } from './master-keys.ts';
import { now, type Running } from './running-program.ts';
import { tracedCalls } from './traced-work.ts';

/** The external services of this program, and their credentials. */
export interface Services {
  readonly secrets: SecretKeys;
  readonly connections: ConsentingConnections;
  readonly inventory: InventorySource;
  readonly identityProvider: IdentityProvider;
  readonly notifications: OfferNotifications;
  readonly marketplaceEvents: EventDeps['marketplaceEvents'];
  readonly accountDeletions: AccountDeletions;
  readonly webhookSender: WebhookSender;
  readonly openStore: OpenObjectStore;
}

/** Opens buckets of S3-compatible services. */
export function storeOpener({ log }: Pick<Running, 'log'>): OpenObjectStore {
  const onCall = (call: SeenCall): void => log.debug({ service: 's3', ...call }, 'called a service');
  return (bucket, limits) => openS3Store(bucket, { now, onCall, ...limits });
}

/**
 * Called once per process, which counts the calls against each service's limits.
 * @param time the clock and its wait, handed in where tests must not wait
 */
export function openServices(
  { config, log, tracing }: Pick<Running, 'config' | 'log' | 'tracing'>,
  db: Db,
  time: Pick<HttpClientOptions, 'now' | 'wait'> = {},
): Services {
  const options = (service: keyof ServiceAddresses) => {
    const traces = tracing === undefined ? null : tracedCalls(tracing, service);
    return {
      baseUrl: config.addresses[service],
      now,
      ...time,
      ...traces,
      onCall: (call: SeenCall) => {
        log.debug({ service, ...call }, 'called a service');
        traces?.onCall(call);
      },
    };
  };
  const connectors: Connectors = {
    walmart: keepingSecrets(createWalmart(options('walmart'))),
    amazon: keepingSecrets(createAmazon(options('amazon'))),
    michaels: keepingSecrets(createMichaels(options('michaels'))),
    ebay: keepingSecrets(createEbay(options('ebay'))),
    etsy: keepingSecrets(createEtsy(options('etsy'))),
    shopify: keepingSecrets(createShopify(options('shopify'))),
  };
  const secrets = dataKeysOf(db, masterKeysOf(config), now);
  return {
    secrets,
    connections: openConnections({ db, secrets, now }, connectors),
    inventory: keepingSecretsOfStock(createVeeqo(options('veeqo'))),
    identityProvider: createIdentityProvider({ now: time.now ?? now }),
    notifications: keepingSecretsOfOffers('amazon', createOfferNotifications(options('amazon'))),
    accountDeletions: keepingSecretsOfDeletions('ebay', createAccountDeletions(options('ebay'))),
    webhookSender: openWebhookSender(),
    openStore: storeOpener({ log }),
    marketplaceEvents: {
      shopify: keepingSecretsOfEvents('shopify', createShopifyWebhooks(options('shopify'))),
      walmart: keepingSecretsOfEvents('walmart', createWalmartWebhooks(options('walmart'))),
    },
  };
}
