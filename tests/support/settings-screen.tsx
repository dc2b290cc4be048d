import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Backups } from '#contract/backups.ts';
import type { ConnectionList } from '#contract/connections.ts';
import type { OwnSellers, RepricingLimits } from '#contract/repricing-limits.ts';
import type { Settings } from '#contract/settings.ts';
import { CAPABILITIES } from '#domain/connections/marketplace-capabilities.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { aStatus } from './engine-screen.ts';
import { type Answer, type Answers, aUser, type Sent, serveApi } from './fake-api.ts';
import { renderApp } from './render-app.tsx';

/** Of a new install. */
export const SETTINGS: Settings = {
  autoRepricing: true,
  checkInterval: 15,
  notifications: true,
  veeqo: { enabled: false, apiKey: '', lastSync: null },
  marketplaces: {
    walmart: { enabled: true, clientId: '', clientSecret: '' },
    amazon: { enabled: false, sellerId: '', lwaClientId: '', lwaClientSecret: '' },
    michaels: { enabled: false, apiKey: '' },
    ebay: { enabled: false, appId: '', certId: '' },
    etsy: { enabled: false, keystring: '', shopName: '' },
    shopify: { enabled: false, storeUrl: '', apiKey: '' },
  },
  version: 3,
  secretProblem: null,
};

/** A new install with some members of the settings changed; of marketplaces only what is given. */
export function someSettings(
  over: Partial<Omit<Settings, 'marketplaces'>> & {
    marketplaces?: { [M in keyof Settings['marketplaces']]?: Partial<Settings['marketplaces'][M]> };
  },
): Settings {
  const marketplaces = Object.fromEntries(
    MARKETPLACES.map((name) => [name, { ...SETTINGS.marketplaces[name], ...over.marketplaces?.[name] }]),
  ) as Settings['marketplaces'];
  return { ...SETTINGS, ...over, marketplaces };
}

export const LIMITS: RepricingLimits = {
  autoRepricing: true,
  checkIntervalMinutes: 15,
  maxOfferAgeHours: 24,
  maxStep: '15.00',
  maxDailyChange: '30.00',
  minStep: '0.01',
  cooldownMinutes: 0,
  priceWarThreshold: 6,
  priceWarPauseHours: 6,
  holdHours: 24,
  breakerDropShare: '20.00',
  breakerDropDepth: '10.00',
  breakerSameOutcomeShare: '20.00',
  version: 3,
};

export const SELLERS: OwnSellers = {
  marketplaces: MARKETPLACES.map((marketplace) => ({
    marketplace,
    names: marketplace === 'walmart' ? ['My Shop'] : [],
    listings: 2,
    suggestions: marketplace === 'amazon' ? [{ name: 'Olive Co', listings: 12 }] : [],
  })),
};

/** Nothing connected, nothing tested, unless said otherwise. */
/** The schedule of backups as a new installation has it. */
export function someBackups(over: Partial<Backups> = {}): Backups {
  return {
    isOn: true,
    timeOfDay: '03:00',
    keepDaily: 7,
    keepWeekly: 4,
    keepMonthly: 6,
    encrypts: false,
    destination: 'folder',
    folder: '',
    defaultFolder: '/data/backups',
    bucket: {
      endpoint: '',
      region: '',
      name: '',
      prefix: '',
      isPathStyle: true,
      accessKeyId: '',
      secretAccessKey: '',
    },
    passphrase: '',
    hasEnvironmentPassphrase: false,
    timeZone: 'America/New_York',
    isUnderWay: false,
    last: null,
    failure: null,
    isOverdue: false,
    unconfirmedRestoreAt: null,
    files: [],
    version: 1,
    ...over,
  };
}

export function someConnections(
  over: Partial<Record<Marketplace, Partial<ConnectionList['marketplaces'][number]>>> = {},
): ConnectionList {
  return {
    marketplaces: MARKETPLACES.map((marketplace) => ({
      marketplace,
      priceChannel: 'file' as const,
      why: null,
      lastCheck: null,
      sync: { requestedAt: null, last: [] },
      sendPauses: [],
      externalEdits: 'repair_loss',
      businessPrices: CAPABILITIES[marketplace].hasBusinessPrices ? 'leave' : null,
      priceReadings: { lags: [], check: null },
      eventSubscription: null,
      capabilities: { ...CAPABILITIES[marketplace], figures: [] },
      ...over[marketplace],
    })),
  };
}

export const ACCOUNT_DELETION = {
  address: 'https://prices.example.com/api/incoming/ebay/account-deletion',
  verificationToken: 'a'.repeat(64),
  noticedAt: null,
};

const MASK = '********';

/** Answers a save as the server does: secrets masked, the version counted up. */
function saved(body: unknown): Answer {
  const text = JSON.stringify(body, (name, value) =>
    /secret|apiKey|certId|keystring|refreshToken$/i.test(name) && value !== '' ? MASK : value,
  );
  const settings: Settings = JSON.parse(text);
  return {
    body: {
      ...settings,
      veeqo: { ...settings.veeqo, lastSync: null },
      version: settings.version + 1,
      secretProblem: null,
    },
  };
}

/** The settings page of an administrator, loaded. */
export async function openSettings(
  settings: Settings = SETTINGS,
  more: Answers = {},
  address = '/settings',
): Promise<{
  user: ReturnType<typeof userEvent.setup>;
  router: ReturnType<typeof renderApp>;
  writes: () => Sent[];
}> {
  const sent = serveApi({
    'GET /api/user': { body: aUser({ role: 'admin' }) },
    'GET /api/engine': { body: aStatus() },
    'GET /api/jobs': { body: [] },
    'GET /api/settings': { body: settings },
    'GET /api/tokens/all': { body: [] },
    'GET /api/backups': { body: someBackups() },
    'GET /api/webhook-receivers': { body: [] },
    'GET /api/books': { body: { closedUntil: null } },
    'GET /api/repricing-limits': { body: LIMITS },
    'GET /api/own-sellers': { body: SELLERS },
    'GET /api/connections': { body: someConnections() },
    ...Object.fromEntries(
      MARKETPLACES.map((marketplace) => [
        `GET /api/connections/${marketplace}/refresh`,
        { body: { offerAge: { hours: 24, chosen: null, automatic: 24 }, readings: null } },
      ]),
    ),
    'GET /api/connections/ebay/account-deletion': { body: ACCOUNT_DELETION },
    'GET /api/connections/ebay/migrations?search=': { body: { total: 0, items: [], asked: [] } },
    'PUT /api/settings': saved,
    'PUT /api/repricing-limits': (body) => {
      const limits = body as RepricingLimits;
      return { body: { ...limits, version: limits.version + 1 } };
    },
    'PUT /api/own-sellers': { body: SELLERS },
    ...more,
  });
  const router = renderApp(address);
  await screen.findByRole('heading', { name: 'General Settings' });
  return {
    user: userEvent.setup({ delay: null }),
    router,
    writes: () => sent.filter(({ call }) => /^(PUT|POST)/.test(call)),
  };
}

export const field = (name: string): HTMLInputElement => screen.getByLabelText(name);
export const saveBar = () => within(screen.getByRole('region', { name: 'Unsaved changes' }));
export const saveAll = (): HTMLButtonElement =>
  screen.getByRole<HTMLButtonElement>('button', { name: 'Save All Settings' });
