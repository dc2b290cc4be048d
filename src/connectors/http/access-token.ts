import { ConnectorError } from '#connectors/connector-error.ts';
import type { HeldToken, HeldTokens, TokenVault } from '#connectors/token-vault.ts';
import type { Instant } from '#domain/units.ts';

const ACCESS = 'access';
/** Renewed after this share of its lifetime: clocks differ, and a call takes time. */
const USED_SHARE = 0.8;

export interface TokenSource {
  /** The name of the service in messages. */
  readonly name: string;
  readonly tokens: TokenVault;
  readonly now: () => Instant;
  /** Which of the account's tokens is used; "access" by default. */
  readonly kind?: string;
  /** Fetches a new token of that kind, and any others that come with it. */
  readonly fetch: (held: HeldTokens) => Promise<HeldTokens>;
}

/**
 * Makes a call with a valid access token. One that is refused anyway is replaced once.
 * @throws ConnectorError of fault "key" when a new token is refused too, and any error of fetching or calling
 */
export async function withAccessToken<Answer>(
  source: TokenSource,
  call: (token: string) => Promise<Answer>,
): Promise<Answer> {
  const held = (await source.tokens.read())[source.kind ?? ACCESS] ?? null;
  const token = held !== null && isGood(held, source.now()) ? held : await renewed(source, held);
  try {
    return await call(token.value);
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.fault !== 'key') throw error;
    return call((await renewed(source, token)).value);
  }
}

function isGood({ obtainedAt, expiresAt }: HeldToken, now: Instant): boolean {
  // A clock that was set back must not keep an old token forever.
  if (now < obtainedAt) return false;
  return expiresAt === null || now < obtainedAt + (expiresAt - obtainedAt) * USED_SHARE;
}

async function renewed(source: TokenSource, seen: HeldToken | null): Promise<HeldToken> {
  const { name, tokens, kind = ACCESS, fetch } = source;
  const token = (await tokens.renew(kind, seen, fetch))[kind];
  if (token !== undefined) return token;
  throw new ConnectorError('unreadable', `${name} answered without an access token.`);
}

/**
 * The meaning of a refused token request: the credentials are wrong, whatever status the service uses (400 as well
 * as 401).
 * @param advice what to do, in a sentence
 * @returns an error of fault "key"; any other error unchanged
 */
export function refusedPair(name: string, error: unknown, advice: string): unknown {
  if (!(error instanceof ConnectorError) || (error.fault !== 'key' && error.fault !== 'refused'))
    return error;
  return new ConnectorError(
    'key',
    `${name} does not accept the client ID and client secret (${error.status}). ${advice}`,
    { status: error.status ?? 0, code: error.code },
  );
}
