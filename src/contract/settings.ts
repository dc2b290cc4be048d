import { z } from 'zod';
import { isQueueAddress, shopHost } from '#domain/connections/credentials.ts';
import { Moment, Zone } from './fields.ts';

/** The placeholder of a stored secret. Sent back unchanged it keeps the secret; "" removes it. */
export const SECRET_MASK = '********';

/** Default minutes between two checks of every listing. */
export const STANDARD_CHECK_INTERVAL = 15;
export const CHECK_INTERVAL_RANGE = [1, 1_440] as const;

const Plain = z.string().trim().max(500, 'Enter at most 500 characters');
const Secret = z.string().trim().max(4_000, 'Enter at most 4,000 characters');

const INTERVAL_MESSAGE = `Enter a whole number of minutes from ${CHECK_INTERVAL_RANGE[0]} to ${CHECK_INTERVAL_RANGE[1]}`;
const CheckInterval = z.preprocess(
  (value) => (typeof value === 'number' ? value : STANDARD_CHECK_INTERVAL),
  z
    .int(INTERVAL_MESSAGE)
    .min(CHECK_INTERVAL_RANGE[0], INTERVAL_MESSAGE)
    .max(CHECK_INTERVAL_RANGE[1], INTERVAL_MESSAGE),
);

/** Becomes the host, "my-shop.myshopify.com": the access token is sent only there. */
const ShopAddress = Plain.transform((text, context): string => {
  const host = text === '' ? '' : shopHost(text);
  if (host !== null) return host;
  context.addIssue({ code: 'custom', message: 'Enter an address such as my-shop.myshopify.com' });
  return z.NEVER;
});

/** "" removes the member. */
const form = (pattern: RegExp, message: string) =>
  Plain.refine((text) => text === '' || pattern.test(text), message);
const Day = Plain.refine(
  (text) => text === '' || z.iso.date().safeParse(text).success,
  'Enter a day such as 2027-05-31',
);
const YesOrNothing = z.enum(['', 'yes'], 'Expected yes or nothing');
const QueueAddress = Plain.refine(
  (text) => text === '' || isQueueAddress(text),
  'Enter an address such as https://sqs.us-east-1.amazonaws.com/123456789012/offers',
);

/**
 * Optional members of a connector. A response contains such a member only while it is set; a save that omits it
 * does not change it.
 */
const AMAZON_FURTHER = {
  /** When the LWA client secret ends, which Amazon does not report to programs. */
  credentialExpiresAt: Day.optional(),
  /** Sends prices as quoted text instead of numbers. */
  quotesPrices: YesOrNothing.optional(),
  /** The minimum, maximum and MAP price set on Amazon do not count in allowed prices. */
  ignorePriceLimits: YesOrNothing.optional(),
  refreshToken: Secret.optional(),
  region: z.enum(['', 'na', 'eu', 'fe'], 'Enter na, eu or fe').optional(),
  marketplaceId: form(/^[A-Z0-9]{10,20}$/, 'Enter an ID such as ATVPDKIKX0DER').optional(),
  sqsQueueUrl: QueueAddress.optional(),
  sqsQueueArn: form(
    /^arn:aws:sqs:[a-z0-9-]{5,30}:\d{12}:[\w-]{1,80}$/,
    'Enter an ARN such as arn:aws:sqs:us-east-1:123456789012:offers',
  ).optional(),
  awsRegion: form(/^[a-z]{2}(-[a-z]+){1,3}-\d$/, 'Enter a region such as us-east-1').optional(),
  awsAccessKeyId: form(/^[A-Z0-9]{16,128}$/, 'Enter an ID such as AKIA1234567890ABCDEF').optional(),
  awsSecretAccessKey: Secret.optional(),
};
const EBAY_FURTHER = {
  /** The price from which eBay accepts Best Offers is raised to the lowest allowed price. */
  raiseBestOffers: YesOrNothing.optional(),
  /** The MAP price and the price of accepted Best Offers do not count in allowed prices. */
  ignorePriceLimits: YesOrNothing.optional(),
  ruName: Plain.optional(),
  refreshToken: Secret.optional(),
  refreshTokenExpiresAt: Day.optional(),
  marketplaceId: form(/^EBAY_[A-Z]{2,10}$/, 'Enter an ID such as EBAY_US').optional(),
  username: Plain.optional(),
};

/** Members that are not set are "", secrets that are set are {@link SECRET_MASK}. */
const Marketplaces = z.strictObject({
  walmart: z.strictObject({
    enabled: z.boolean(),
    clientId: Plain,
    clientSecret: Secret,
    /** The version in the head of price feeds, instead of the default of this release. */
    feedVersion: form(/^\w[\w.-]{0,49}$/, 'Enter a version such as 2.0.20240126-12_25_52-api').optional(),
  }),
  amazon: z.strictObject({
    enabled: z.boolean(),
    sellerId: Plain,
    lwaClientId: Plain,
    lwaClientSecret: Secret,
    ...AMAZON_FURTHER,
  }),
  michaels: z.strictObject({
    enabled: z.boolean(),
    apiKey: Secret,
    /** Whether prices are sent there; off by default, as this API is new. */
    allowWrites: YesOrNothing.optional(),
  }),
  ebay: z.strictObject({ enabled: z.boolean(), appId: Plain, certId: Secret, ...EBAY_FURTHER }),
  etsy: z.strictObject({
    enabled: z.boolean(),
    keystring: Secret,
    shopName: Plain,
    /** Percent that sales and coupons take off at most: allowed prices keep the minimum margin after it. */
    greatestDiscount: form(/^(\d|[1-8]\d)(\.\d{1,2})?$/, 'Enter a percentage from 0 to 89.99').optional(),
    sharedSecret: Secret.optional(),
    refreshToken: Secret.optional(),
  }),
  shopify: z.strictObject({
    enabled: z.boolean(),
    storeUrl: z.string(),
    apiKey: Secret,
    clientId: Plain.optional(),
    clientSecret: Secret.optional(),
    /** Variants with a compare-at price are repriced too, below it. */
    repriceOnSale: YesOrNothing.optional(),
  }),
});

/** GET /api/settings (admin), and the answer to PUT. */
export const Settings = z.object({
  /** The Auto-Reprice switch: off, prices are only recommended. */
  autoRepricing: z.boolean(),
  /** Minutes between two checks of every listing. */
  checkInterval: z.int(),
  /** Whether open pages show a message when a job ends or repricing is halted. */
  notifications: z.boolean(),
  /** Where the shop is, such as "America/New_York": for hours, days and dates of rules, and days of sales. Missing while not set: UTC. */
  timeZone: z.string().optional(),
  veeqo: z.object({ enabled: z.boolean(), apiKey: Secret, lastSync: Moment.nullable() }),
  marketplaces: Marketplaces,
  /** Increases with every save of the settings and limits. */
  version: z.int(),
  /** Why stored secrets cannot be decrypted on this server, and how to fix it; null when they can. */
  secretProblem: z.string().nullable(),
});
export type Settings = z.output<typeof Settings>;

/**
 * PUT /api/settings (admin): the whole object. Read-only members (`lastSync`, `secretProblem`) are ignored. 409
 * when `version` is not current because another user saved.
 */
export const EditSettings = z.strictObject({
  autoRepricing: z.boolean(),
  checkInterval: CheckInterval,
  notifications: z.boolean(),
  /** "" removes it; omitted, it stays. */
  timeZone: z.union([z.literal(''), Zone]).optional(),
  veeqo: z.strictObject({ enabled: z.boolean(), apiKey: Secret, lastSync: Moment.nullish() }),
  marketplaces: Marketplaces.extend({
    shopify: Marketplaces.shape.shopify.extend({ storeUrl: ShopAddress }),
  }),
  version: z.int().optional(),
  secretProblem: z.string().max(1_000).nullish(),
});
export type EditSettings = z.output<typeof EditSettings>;

/** Most entries in each list of a sync result. */
export const SYNC_LIST = 500;

/** A SKU that a sync skipped, and why. */
const PassedOver = z.object({
  /** Its SKU, or its name where it has none. */
  what: z.string(),
  why: z.enum(['no_code', 'kit', 'repeated', 'unreadable']),
  /** With `unreadable`: the member that cannot be read, and what Veeqo sent there. */
  member: z.string().nullable(),
  value: z.string().nullable(),
});

/** POST /api/veeqo/sync (admin). Lists hold at most {@link SYNC_LIST}; the counts are exact. */
export const VeeqoSync = z.object({
  success: z.boolean(),
  /** What went wrong, as a sentence; null after a success. */
  error: z.string().nullable(),
  /** SKUs that are new. */
  imported: z.int(),
  /** SKUs that exist already and were not changed. */
  skipped: z.int(),
  lastSync: Moment.nullable(),
  skippedSkus: z.array(z.string()),
  /** SKUs that were deleted here: a sync does not restore them. */
  leftDeleted: z.int(),
  leftDeletedSkus: z.array(z.string()),
  /**
   * Of the new ones, how many have no product cost or no weight in Veeqo; their listings are blocked until it
   * is entered.
   */
  incomplete: z.int(),
  incompleteSkus: z.array(z.string()),
  passedOver: z.int(),
  passedOverItems: z.array(PassedOver),
});
export type VeeqoSync = z.output<typeof VeeqoSync>;

/** POST /api/veeqo/check (admin): whether Veeqo responds and accepts the stored key. */
export const VeeqoCheck = z.object({
  success: z.boolean(),
  error: z.string().nullable(),
  checkedAt: Moment,
});
export type VeeqoCheck = z.output<typeof VeeqoCheck>;
