import { ConnectorError } from '#connectors/connector-error.ts';
import type { HeldToken, HeldTokens, TokenVault } from '#connectors/token-vault.ts';
import type { Instant } from '#domain/units.ts';

const ACCESS = 'access';
/** Renewed after so much of its life: the clocks differ, and a call takes its time. */
const USED_SHARE = 0.8;

export interface TokenSource {
  /** How people call the service. */
  readonly name: string;
  readonly tokens: TokenVault;
  readonly now: () => Instant;
  /** Which of the account's tokens is used; "access" unless said otherwise. */
  readonly kind?: string;
  /** Fetches a new token of that kind, and whatever comes with it. */
  readonly fetch: (held: HeldTokens) => Promise<HeldTokens>;
}

/**
 * Makes a call with an access token that is good. One that is refused all the same is replaced once.
 * @throws ConnectorError of fault "key" when a fresh token is refused too, and whatever fetching or calling throws
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
  // A clock that was put back must not keep an old token for ever.
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
 * What a refused call for a token means: the pair is wrong, whatever status the service gives it (400 as well as 401).
 * @param advice what to do, in a sentence
 * @returns an error of fault "key"; anything but a refusal as it is
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
