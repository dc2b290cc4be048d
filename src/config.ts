import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import {
  SERVICE_ADDRESSES,
  type ServiceAddresses,
  testAddressVariables,
} from '#connectors/service-addresses.ts';
import { MIN_PASSPHRASE } from '#contract/backups.ts';
import { isForThisMachineAlone } from '#server/request-origin.ts';
import { parseKey } from '#usecases/identity/encryption/secret-keys.ts';
import { readTraceSettings, type TraceSettings } from './bootstrap/trace-settings.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const LOOPBACK_HOSTS = new Set(['127.0.0.1', '::1', 'localhost']);

/** The settings of the environment, read once at start. */
export type Config = {
  /** 0 lets the system choose a free port. */
  readonly port: number;
  readonly host: string;
  /** True when only this machine can reach the server. */
  readonly boundToLoopback: boolean;
  /** null: the PostgreSQL that ships with the product, under `dataDir`. */
  readonly databaseUrl: string | null;
  /** The same database for the owner of its tables, when `databaseUrl` names another role; else null. */
  readonly databaseOwnerUrl: string | null;
  readonly dataDir: string;
  /** Origin under which browsers reach the server, such as "https://prices.example.com"; null when not set. */
  readonly publicUrl: string | null;
  /** True when passwords travel unencrypted to other machines, as the operator asked. */
  readonly insecureHttp: boolean;
  /** Addresses or networks whose X-Forwarded-For counts. */
  readonly trustedProxies: readonly string[];
  readonly metricsToken: string | null;
  /** Whether administrators need a second factor before they go live, change credentials or manage users. */
  readonly requiresTwoFactor: boolean;
  /** 32 bytes that lock stored secrets; null: a file in `dataDir`, made when it is first needed. */
  readonly secretKey: Buffer | null;
  /** Earlier keys, which may still decrypt what they encrypted. */
  readonly oldSecretKeys: readonly Buffer[];
  /** Encrypts backups and decrypts them; null: backups are not encrypted unless a file has a passphrase. */
  readonly backupPassphrase: string | null;
  /** For a bucket that a command names. The variables have the names of Amazon's own tools; null: not set. */
  readonly aws: {
    readonly accessKeyId: string | null;
    readonly secretAccessKey: string | null;
    readonly sessionToken: string | null;
    readonly region: string | null;
    readonly endpoint: string | null;
    /** Null: the path for a service other than Amazon's. */
    readonly isPathStyle: boolean | null;
  };
  /** Whether a start of a newer release makes a backup of the data folder before it changes the database. */
  readonly backsUpBeforeUpgrade: boolean;
  readonly addresses: ServiceAddresses;
  /** Whether one of them is not the service's own: nothing that is sold there is real. */
  readonly usesTestAddresses: boolean;
  /** Mail server such as "smtps://user:password@mail.example.com"; null: email goes to the outbox folder in `dataDir`. */
  readonly smtpUrl: string | null;
  /** The sender of our emails. */
  readonly mailFrom: string;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Null: no traces. */
  readonly traces: TraceSettings | null;
  /** A sample store in a data folder of its own, for one user at this machine. */
  readonly isDemo: boolean;
};

export type ConfigResult = { ok: true; config: Config } | { ok: false; problems: string[] };

const Port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((port) => port <= 65_535);

const PublicUrl = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href) return url.origin;
  context.addIssue({ code: 'custom' });
  return z.NEVER;
});

const SecretKey = z.string().transform((text, context) => {
  const bytes = parseKey(text);
  if (bytes !== null) return bytes;
  context.addIssue({ code: 'custom' });
  return z.NEVER;
});

const OldSecretKeys = z.string().transform((text, context) => {
  const keys = text.split(',').map(parseKey);
  const known = keys.filter((bytes) => bytes !== null);
  if (known.length === keys.length) return known;
  context.addIssue({ code: 'custom' });
  return z.NEVER;
});

/** Credentials are sent there: https, or this machine itself. */
const ProviderUrl = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSafe =
    url !== null &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK_HOSTS.has(bareHost(url))));
  if (url !== null && isSafe && url.href.startsWith(url.origin) && url.search === '' && url.hash === '') {
    return `${url.origin}${url.pathname.replace(/\/$/, '')}`;
  }
  context.addIssue({ code: 'custom' });
  return z.NEVER;
});

/** Without the brackets around an IPv6 address. */
function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}

const TrustedProxies = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((networks) => networks.every(isNetwork));

// Only a host: further settings could turn off the check of the server's certificate.
const SmtpUrl = z.string().refine((text) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return false;
  return isBare(url) && isDecodable(url.username) && isDecodable(url.password);
});

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== null;
  } catch {
    return false;
  }
}

function isBare({ pathname, search, hash }: URL): boolean {
  return (pathname === '' || pathname === '/') && search === '' && hash === '';
}

const DatabaseUrl = z.string().regex(/^postgres(ql)?:\/\/\S+$/);

const Environment = z.object({
  PORT: Port.default(5000),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/)
    .default('127.0.0.1'),
  DATABASE_URL: DatabaseUrl.optional(),
  DATABASE_OWNER_URL: DatabaseUrl.optional(),
  PRICEWRIGHT_DATA: z.string().optional(),
  PUBLIC_URL: PublicUrl.optional(),
  PRICEWRIGHT_INSECURE_HTTP: z.enum(['0', '1']).default('0'),
  TRUSTED_PROXIES: TrustedProxies.default([]),
  METRICS_TOKEN: z.string().min(16).optional(),
  PRICEWRIGHT_REQUIRE_2FA: z.enum(['0', '1']).optional(),
  PRICEWRIGHT_SECRET_KEY: SecretKey.optional(),
  PRICEWRIGHT_OLD_SECRET_KEYS: OldSecretKeys.default([]),
  PRICEWRIGHT_BACKUP_PASSPHRASE: z.string().min(MIN_PASSPHRASE).optional(),
  PRICEWRIGHT_UPGRADE_BACKUP: z.enum(['0', '1']).default('1'),
  // Other programs may need them otherwise: they are checked when a command names a bucket.
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
  AWS_REGION: z.string().optional(),
  AWS_DEFAULT_REGION: z.string().optional(),
  AWS_ENDPOINT_URL_S3: z.string().optional(),
  AWS_ENDPOINT_URL: z.string().optional(),
  PRICEWRIGHT_S3_ADDRESSING: z.enum(['path', 'virtual']).optional(),
  NODE_TLS_REJECT_UNAUTHORIZED: z.literal('1').optional(),
  PRICEWRIGHT_WALMART_URL: ProviderUrl.default(SERVICE_ADDRESSES.walmart.real),
  PRICEWRIGHT_AMAZON_URL: ProviderUrl.default(SERVICE_ADDRESSES.amazon.real),
  PRICEWRIGHT_MICHAELS_URL: ProviderUrl.default(SERVICE_ADDRESSES.michaels.real),
  PRICEWRIGHT_EBAY_URL: ProviderUrl.default(SERVICE_ADDRESSES.ebay.real),
  PRICEWRIGHT_ETSY_URL: ProviderUrl.default(SERVICE_ADDRESSES.etsy.real),
  PRICEWRIGHT_SHOPIFY_URL: ProviderUrl.default(SERVICE_ADDRESSES.shopify.real),
  PRICEWRIGHT_VEEQO_URL: ProviderUrl.default(SERVICE_ADDRESSES.veeqo.real),
  PRICEWRIGHT_ALLOW_TEST_ADDRESSES: z.enum(['0', '1']).default('0'),
  NODE_ENV: z.string().optional(),
  SMTP_URL: SmtpUrl.optional(),
  MAIL_FROM: z.email().max(254).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  // Other programs may need them otherwise: they are checked when there is an endpoint.
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.string().optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: z.string().optional(),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_TRACES_SAMPLER: z.string().optional(),
  OTEL_TRACES_SAMPLER_ARG: z.string().optional(),
});

const ADDRESS_HINT = 'must be an https address, or an http address of this machine.';
const TEXT_HINT = 'must be text.';
const DATABASE_HINT = 'must look like postgresql://user:password@host:5432/database.';

/** The whole text that the operator sees for a wrong value. */
const HINTS = {
  PORT: 'must be a port number from 0 to 65535, such as 5000.',
  HOST: 'must be an address to listen on, such as 127.0.0.1 or 0.0.0.0.',
  DATABASE_URL: DATABASE_HINT,
  DATABASE_OWNER_URL: DATABASE_HINT,
  PRICEWRIGHT_DATA: 'must be the path of a folder.',
  PUBLIC_URL: 'must be an address without a path, such as https://prices.example.com.',
  PRICEWRIGHT_INSECURE_HTTP: 'must be 1 (allow) or 0.',
  TRUSTED_PROXIES: 'must list addresses or networks with commas, such as 10.0.0.5,192.168.0.0/24.',
  METRICS_TOKEN: 'must have at least 16 characters.',
  PRICEWRIGHT_SECRET_KEY:
    'must be 32 random bytes as 64 hex digits or base64, such as "openssl rand -hex 32" prints.',
  PRICEWRIGHT_REQUIRE_2FA: 'must be 1 (administrators need two-factor authentication) or 0.',
  PRICEWRIGHT_OLD_SECRET_KEYS: 'must list earlier values of PRICEWRIGHT_SECRET_KEY with commas.',
  PRICEWRIGHT_BACKUP_PASSPHRASE: `must have at least ${MIN_PASSPHRASE} characters.`,
  PRICEWRIGHT_UPGRADE_BACKUP: 'must be 1 (a backup before each upgrade) or 0.',
  AWS_ACCESS_KEY_ID: TEXT_HINT,
  AWS_SECRET_ACCESS_KEY: TEXT_HINT,
  AWS_SESSION_TOKEN: TEXT_HINT,
  AWS_REGION: TEXT_HINT,
  AWS_DEFAULT_REGION: TEXT_HINT,
  AWS_ENDPOINT_URL_S3: TEXT_HINT,
  AWS_ENDPOINT_URL: TEXT_HINT,
  PRICEWRIGHT_S3_ADDRESSING: 'must be path (https://host/bucket) or virtual (https://bucket.host).',
  NODE_TLS_REJECT_UNAUTHORIZED:
    'must not be set: it turns off certificate checks, so your credentials could be intercepted.',
  PRICEWRIGHT_WALMART_URL: ADDRESS_HINT,
  PRICEWRIGHT_AMAZON_URL: ADDRESS_HINT,
  PRICEWRIGHT_MICHAELS_URL: ADDRESS_HINT,
  PRICEWRIGHT_EBAY_URL: ADDRESS_HINT,
  PRICEWRIGHT_ETSY_URL: ADDRESS_HINT,
  PRICEWRIGHT_SHOPIFY_URL: ADDRESS_HINT,
  PRICEWRIGHT_VEEQO_URL: ADDRESS_HINT,
  PRICEWRIGHT_ALLOW_TEST_ADDRESSES: 'must be 1 (allow) or 0.',
  NODE_ENV: 'must be a word such as production.',
  SMTP_URL:
    'must look like smtp://user:password@mail.example.com:587, or smtps://... where the server speaks TLS from the start.',
  MAIL_FROM: 'must be an email address such as pricewright@example.com.',
  LOG_LEVEL: `must be one of ${LOG_LEVELS.join(', ')}.`,
  OTEL_SDK_DISABLED: TEXT_HINT,
  OTEL_EXPORTER_OTLP_ENDPOINT: TEXT_HINT,
  OTEL_EXPORTER_OTLP_PROTOCOL: TEXT_HINT,
  OTEL_EXPORTER_OTLP_HEADERS: TEXT_HINT,
  OTEL_RESOURCE_ATTRIBUTES: TEXT_HINT,
  OTEL_SERVICE_NAME: TEXT_HINT,
  OTEL_TRACES_SAMPLER: TEXT_HINT,
  OTEL_TRACES_SAMPLER_ARG: TEXT_HINT,
} satisfies Record<keyof typeof Environment.shape, string>;

/** A variable set to nothing counts as not set, as in a shell script's `PORT= npm start`. */
function withoutEmpty(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const set: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value.trim() !== '') set[name] = value.trim();
  }
  return set;
}

/**
 * Reads the environment. Never throws: every wrong value becomes one sentence that names its variable.
 * @param isDemo the program was started with --demo
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>, isDemo = false): ConfigResult {
  const parsed = Environment.safeParse(withoutEmpty(env));
  if (!parsed.success) {
    const names = new Set(parsed.error.issues.map((issue) => issue.path[0] as keyof typeof HINTS));
    return { ok: false, problems: [...names].map((name) => `${name} ${HINTS[name]}`) };
  }
  const values = parsed.data;
  const addresses = addressesOf(values);
  const boundToLoopback = LOOPBACK_HOSTS.has(values.HOST);
  const found = readTraceSettings(values);
  if ('problem' in found) return { ok: false, problems: [found.problem] };
  const config: Config = {
    port: values.PORT,
    host: values.HOST,
    boundToLoopback,
    databaseUrl: values.DATABASE_URL ?? null,
    databaseOwnerUrl: values.DATABASE_OWNER_URL ?? null,
    dataDir: resolve(values.PRICEWRIGHT_DATA ?? (isDemo ? './data-demo' : './data')),
    publicUrl: values.PUBLIC_URL ?? null,
    insecureHttp: values.PRICEWRIGHT_INSECURE_HTTP === '1',
    trustedProxies: values.TRUSTED_PROXIES,
    metricsToken: values.METRICS_TOKEN ?? null,
    requiresTwoFactor:
      values.PRICEWRIGHT_REQUIRE_2FA === undefined
        ? !isForThisMachineAlone({
            boundToLoopback,
            publicUrl: values.PUBLIC_URL ?? null,
            trustedProxies: values.TRUSTED_PROXIES,
          })
        : values.PRICEWRIGHT_REQUIRE_2FA === '1',
    secretKey: values.PRICEWRIGHT_SECRET_KEY ?? null,
    oldSecretKeys: values.PRICEWRIGHT_OLD_SECRET_KEYS,
    backupPassphrase: values.PRICEWRIGHT_BACKUP_PASSPHRASE ?? null,
    aws: {
      accessKeyId: values.AWS_ACCESS_KEY_ID ?? null,
      secretAccessKey: values.AWS_SECRET_ACCESS_KEY ?? null,
      sessionToken: values.AWS_SESSION_TOKEN ?? null,
      region: values.AWS_REGION ?? values.AWS_DEFAULT_REGION ?? null,
      endpoint: values.AWS_ENDPOINT_URL_S3 ?? values.AWS_ENDPOINT_URL ?? null,
      isPathStyle:
        values.PRICEWRIGHT_S3_ADDRESSING === undefined ? null : values.PRICEWRIGHT_S3_ADDRESSING === 'path',
    },
    backsUpBeforeUpgrade: values.PRICEWRIGHT_UPGRADE_BACKUP === '1',
    addresses,
    usesTestAddresses: testAddressVariables(addresses).length > 0,
    // The users of the sample store do not exist.
    smtpUrl: isDemo ? null : (values.SMTP_URL ?? null),
    mailFrom: values.MAIL_FROM ?? `pricewright@${hostOf(values.PUBLIC_URL)}`,
    logLevel: values.LOG_LEVEL,
    traces: found.traces,
    isDemo,
  };
  const problem =
    demoProblem(config) ??
    ownerProblem(config) ??
    plainHttpProblem(config) ??
    testAddressProblem(addresses, values);
  return problem === null ? { ok: true, config } : { ok: false, problems: [problem] };
}

type Values = z.output<typeof Environment>;

function addressesOf(values: Values): ServiceAddresses {
  return {
    walmart: values.PRICEWRIGHT_WALMART_URL,
    amazon: values.PRICEWRIGHT_AMAZON_URL,
    michaels: values.PRICEWRIGHT_MICHAELS_URL,
    ebay: values.PRICEWRIGHT_EBAY_URL,
    etsy: values.PRICEWRIGHT_ETSY_URL,
    shopify: values.PRICEWRIGHT_SHOPIFY_URL,
    veeqo: values.PRICEWRIGHT_VEEQO_URL,
  };
}

/** In production, credentials go to the real services unless the operator declares a test. */
function testAddressProblem(
  addresses: ServiceAddresses,
  { NODE_ENV, PRICEWRIGHT_ALLOW_TEST_ADDRESSES: allowed }: Values,
): string | null {
  const names = testAddressVariables(addresses);
  if (NODE_ENV !== 'production' || allowed === '1' || names.length === 0) return null;
  return `${names.join(', ')} must not be set with NODE_ENV=production: credentials would be sent to test servers instead of the real services. Set PRICEWRIGHT_ALLOW_TEST_ADDRESSES=1 if this is a test.`;
}

/** The default domain of our own email address. */
function hostOf(publicUrl: string | undefined): string {
  return publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname;
}

/** Everyone knows the password of the sample store, so it must never meet a real one. */
function demoProblem(config: Config): string | null {
  if (!config.isDemo) return null;
  if (config.databaseUrl !== null)
    return 'DATABASE_URL must not be set with --demo: the demo store has its own database.';
  if (config.publicUrl === null && isForThisMachineAlone(config)) return null;
  return 'HOST, PUBLIC_URL and TRUSTED_PROXIES must not be set with --demo: the password of the demo store is public, so it stays on this machine.';
}

/** The embedded database has an owner role of its own. */
function ownerProblem({ databaseUrl, databaseOwnerUrl }: Config): string | null {
  if (databaseOwnerUrl === null || databaseUrl !== null) return null;
  return 'DATABASE_OWNER_URL must not be set without DATABASE_URL, which names the role that the program uses: set both, or neither for the database that Pricewright brings.';
}

/** Passwords and session cookies never cross a network unencrypted unless the operator allowed it. */
function plainHttpProblem(config: Config): string | null {
  if (config.insecureHttp) return null;
  const wayOut = 'or set PRICEWRIGHT_INSECURE_HTTP=1 to accept that passwords are sent unencrypted.';
  if (config.publicUrl !== null) {
    const url = new URL(config.publicUrl);
    if (url.protocol === 'https:') return null;
    if (!LOOPBACK_HOSTS.has(bareHost(url)))
      return `PUBLIC_URL is plain http and not on this machine: use its https address, ${wayOut}`;
  }
  if (config.boundToLoopback) return null;
  return `HOST=${config.host} lets other machines in over plain http: set PUBLIC_URL to the https address of the proxy in front, ${wayOut}`;
}
