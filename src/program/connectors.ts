import { createAmazon } from '#connectors/amazon/amazon.ts';
import { createOfferNotifications } from '#connectors/amazon/offer-notifications.ts';
import { createEbay } from '#connectors/ebay/ebay.ts';
import { createEtsy } from '#connectors/etsy/etsy.ts';
import type { SeenCall } from '#connectors/http/http-client.ts';
import type { InventorySource } from '#connectors/inventory-source.ts';
import { createMichaels } from '#connectors/michaels/michaels.ts';
import type { OfferNotifications } from '#connectors/offer-messages.ts';
import type { ServiceAddresses } from '#connectors/service-addresses.ts';
import { createShopify } from '#connectors/shopify/shopify.ts';
import { createShopifyWebhooks } from '#connectors/shopify/shopify-webhooks.ts';
import { createVeeqo } from '#connectors/veeqo/veeqo.ts';
import { createWalmart } from '#connectors/walmart/walmart.ts';
import { createWalmartWebhooks } from '#connectors/walmart/walmart-webhooks.ts';
import type { Db } from '#db/client.ts';
import type { ConsentingConnections } from '#usecases/connections/connections.ts';
import { type Connectors, openConnections } from '#usecases/connections/open-connections.ts';
import type { EventDeps } from '#usecases/incoming/take-event.ts';
import { dataKeysOf } from '#usecases/secrets/data-keys.ts';
import type { SecretKeys } from '#usecases/secrets/secret-keys.ts';
import { masterKeysOf } from './master-keys.ts';
import { now, type Running } from './running.ts';

/** Everything this program calls outside of its own machine, and the keys that it takes for it. */
export interface Services {
  readonly secrets: SecretKeys;
  readonly connections: ConsentingConnections;
  readonly inventory: InventorySource;
  readonly notifications: OfferNotifications;
  readonly webhooks: EventDeps['webhooks'];
}

/** Once for a process: what a service allows is counted there, whoever asks. */
export function openServices({ config, log }: Running, db: Db): Services {
  const options = (service: keyof ServiceAddresses) => ({
    baseUrl: config.addresses[service],
    now,
    onCall: (call: SeenCall) => log.debug({ service, ...call }, 'called a service'),
  });
  const connectors: Connectors = {
    walmart: createWalmart(options('walmart')),
    amazon: createAmazon(options('amazon')),
    michaels: createMichaels(options('michaels')),
    ebay: createEbay(options('ebay')),
    etsy: createEtsy(options('etsy')),
    shopify: createShopify(options('shopify')),
  };
  const secrets = dataKeysOf(db, masterKeysOf(config), now);
  return {
    secrets,
    connections: openConnections({ db, secrets, now }, connectors),
    inventory: createVeeqo(options('veeqo')),
    notifications: createOfferNotifications(options('amazon')),
    webhooks: {
      shopify: createShopifyWebhooks(options('shopify')),
      walmart: createWalmartWebhooks(options('walmart')),
    },
  };
}
