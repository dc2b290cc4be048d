import { z } from 'zod';
import type { Account, AccountFindings } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { TokenVault } from '#connectors/token-vault.ts';

/** Amazon's ID of its US store: the only one that sells in US dollars. */
export const US_STORE = 'ATVPDKIKX0DER';

const CREDENTIAL_NAMES: Readonly<Record<string, string>> = {
  sellerId: 'the seller ID',
  lwaClientId: 'the LWA client ID',
  lwaClientSecret: 'the LWA client secret',
  refreshToken: 'the refresh token',
  region: 'the region (na, eu or fe)',
  marketplaceId: 'the marketplace ID',
  quotesPrices: 'yes or nothing for quoted prices',
  ignorePriceLimits: 'yes or nothing for ignored price limits',
};

const Key = z.string().trim().min(1);
const Credentials = z.object({
  sellerId: Key.regex(/^[\w-]{3,50}$/),
  lwaClientId: Key,
  lwaClientSecret: Key,
  refreshToken: Key,
  region: z.enum(['na', 'eu', 'fe']).default('na'),
  marketplaceId: Key.regex(/^[A-Z0-9]{5,30}$/).default(US_STORE),
  /** Whether prices are sent as quoted text instead of numbers: some accounts only accept that. */
  quotesPrices: z.literal('yes').optional(),
  /** Whether the minimum and maximum price and the MAP price set on Amazon do not count. */
  ignorePriceLimits: z.literal('yes').optional(),
});

/** Access to one store: its validated credentials. */
export type AmazonShop = z.output<typeof Credentials> & {
  readonly tokens: TokenVault;
  readonly findings: AccountFindings | null;
};

/** @throws ConnectorError of fault "key" that names what is missing or invalid */
export function shopOf({ credentials, tokens, findings }: Account): AmazonShop {
  const set = Object.entries(credentials).filter(([, value]) => value.trim() !== '');
  const answer = Credentials.safeParse(Object.fromEntries(set));
  if (answer.success) return { ...answer.data, tokens, findings: findings ?? null };
  const names = new Set(answer.error.issues.map(({ path }) => String(path[0])));
  const needed = [...names].map((name) => CREDENTIAL_NAMES[name] ?? name).join(', ');
  throw new ConnectorError('key', `Amazon needs ${needed}. Enter it in the settings of Amazon.`);
}
