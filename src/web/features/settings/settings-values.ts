import {
  CHECK_INTERVAL_RANGE,
  type EditSettings,
  type Settings,
  STANDARD_CHECK_INTERVAL,
} from '#contract/settings.ts';
import { credentialsOf, shopHost } from '#domain/connections/credentials.ts';
import { MARKETPLACE_NAMES, MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { isTimeZone } from '#domain/time/time-zone.ts';
import { typedNumber } from '#web/lib/typed-numbers.ts';

/** A field of the settings, named as in server errors: "marketplaces.ebay.appId". */
export type SettingPath = string;
/** The value of a field: text, or the state of a switch. */
export type SettingValues = Readonly<Record<SettingPath, string | boolean>>;

export const pathOf = (marketplace: Marketplace, member: string): SettingPath =>
  `marketplaces.${marketplace}.${member}`;

/** The marketplace of a path; undefined for other fields. */
export function marketplaceIn(path: SettingPath): Marketplace | undefined {
  return MARKETPLACES.find((marketplace) => path.startsWith(`marketplaces.${marketplace}.`));
}

/** Labels of all fields of the page, in the order of the page. */
export const SETTING_LABELS: ReadonlyMap<SettingPath, string> = new Map([
  ['autoRepricing', 'Automatic repricing'],
  ['checkInterval', 'Check interval'],
  ['timeZone', 'Time zone'],
  ['notifications', 'Notifications'],
  ['veeqo.enabled', 'Veeqo'],
  ['veeqo.apiKey', 'Veeqo API key'],
  ...MARKETPLACES.flatMap((marketplace): [SettingPath, string][] => {
    const name = MARKETPLACE_NAMES[marketplace];
    return [
      [pathOf(marketplace, 'enabled'), name],
      ...credentialsOf(marketplace).map((member): [SettingPath, string] => [
        pathOf(marketplace, member.name),
        `${name} ${member.label}`,
      ]),
    ];
  }),
]);

/** The stored values, as the fields show them. */
export function valuesOf(settings: Settings): SettingValues {
  const { autoRepricing, checkInterval, notifications, veeqo, marketplaces } = settings;
  const values: Record<SettingPath, string | boolean> = {
    autoRepricing,
    notifications,
    checkInterval: String(checkInterval),
    'veeqo.enabled': veeqo.enabled,
    'veeqo.apiKey': veeqo.apiKey,
    ...(settings.timeZone === undefined ? {} : { timeZone: settings.timeZone }),
  };
  for (const marketplace of MARKETPLACES) {
    for (const [name, value] of Object.entries(marketplaces[marketplace])) {
      if (value !== undefined) values[pathOf(marketplace, name)] = value;
    }
  }
  return values;
}

/** The check interval in a text; the default if it is not a number. */
export function intervalOf(text: string): number {
  return typedNumber(text) ?? STANDARD_CHECK_INTERVAL;
}

/** The error of a field; null if valid. */
export function problemOf(path: SettingPath, value: string | boolean): string | null {
  if (path === 'checkInterval') {
    const [least, most] = CHECK_INTERVAL_RANGE;
    const minutes = intervalOf(String(value));
    const isFine = Number.isInteger(minutes) && minutes >= least && minutes <= most;
    return isFine ? null : `Enter a whole number from ${least} to ${most}`;
  }
  if (path === 'timeZone') {
    const zone = String(value).trim();
    return zone === '' || isTimeZone(zone) ? null : 'Enter a time zone such as America/New_York';
  }
  if (path === 'marketplaces.shopify.storeUrl' && value !== '' && shopHost(String(value)) === null) {
    return 'Enter an address such as my-shop.myshopify.com';
  }
  return null;
}

/** The request body, which is always complete. */
export function editOf(values: SettingValues, version: number): EditSettings {
  const text = (path: SettingPath): string => String(values[path] ?? '').trim();
  const isOn = (path: SettingPath): boolean => values[path] === true;
  const of = (marketplace: Marketplace, member: string): string => text(pathOf(marketplace, member));
  const further = <M extends Marketplace>(marketplace: M) => furtherOf(marketplace, values);
  const enabled = (marketplace: Marketplace) => ({ enabled: isOn(pathOf(marketplace, 'enabled')) });
  return {
    autoRepricing: isOn('autoRepricing'),
    checkInterval: intervalOf(text('checkInterval')),
    notifications: isOn('notifications'),
    ...(values.timeZone === undefined ? {} : { timeZone: text('timeZone') }),
    veeqo: { enabled: isOn('veeqo.enabled'), apiKey: text('veeqo.apiKey') },
    marketplaces: {
      walmart: {
        ...enabled('walmart'),
        clientId: of('walmart', 'clientId'),
        clientSecret: of('walmart', 'clientSecret'),
        ...further('walmart'),
      },
      amazon: {
        ...enabled('amazon'),
        sellerId: of('amazon', 'sellerId'),
        lwaClientId: of('amazon', 'lwaClientId'),
        lwaClientSecret: of('amazon', 'lwaClientSecret'),
        ...further('amazon'),
      },
      michaels: {
        ...enabled('michaels'),
        apiKey: of('michaels', 'apiKey'),
        ...further('michaels'),
      },
      ebay: {
        ...enabled('ebay'),
        appId: of('ebay', 'appId'),
        certId: of('ebay', 'certId'),
        ...further('ebay'),
      },
      etsy: {
        ...enabled('etsy'),
        keystring: of('etsy', 'keystring'),
        shopName: of('etsy', 'shopName'),
        ...(values[pathOf('etsy', 'greatestDiscount')] === undefined
          ? {}
          : { greatestDiscount: of('etsy', 'greatestDiscount') }),
        ...further('etsy'),
      },
      shopify: {
        ...enabled('shopify'),
        storeUrl: of('shopify', 'storeUrl'),
        apiKey: of('shopify', 'apiKey'),
        ...further('shopify'),
      },
    },
    version,
  };
}

/** Stored or edited fields. Others are omitted and stay unchanged, even if this page cannot show them. */
function furtherOf<M extends Marketplace>(
  marketplace: M,
  values: SettingValues,
): Partial<EditSettings['marketplaces'][M]> {
  const members = credentialsOf(marketplace).flatMap(({ name, isFurther }) => {
    const value = values[pathOf(marketplace, name)];
    return isFurther && typeof value === 'string' ? [[name, value.trim()] as const] : [];
  });
  // Same names as in the contract, which the server checks.
  return Object.fromEntries(members) as Partial<EditSettings['marketplaces'][M]>;
}
