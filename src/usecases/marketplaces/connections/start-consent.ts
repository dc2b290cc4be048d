import { createHash } from 'node:crypto';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { Db } from '#db/client.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { consentPlace } from '#db/queries/identity/sealed-columns.ts';
import { replaceConsent } from '#db/queries/marketplaces/connections/consents.ts';
import { transact } from '#db/transact.ts';
import type { Consented } from '#domain/connections/credentials.ts';
import { type Instant, instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { newToken, tokenHash } from '#usecases/identity/accounts/secret-token.ts';
import { sealSecret } from '#usecases/identity/encryption/secret-box.ts';
import type { SecretKeys } from '#usecases/identity/encryption/secret-keys.ts';
import type { ConsentingConnections } from './connections.ts';

export interface ConsentDeps {
  readonly db: Db;
  readonly now: () => Instant;
  readonly secrets: SecretKeys;
  readonly connections: ConsentingConnections;
}

/** The session that authorizes, and where the marketplace redirects back to. */
export interface ConsentRequest {
  readonly marketplace: Consented;
  readonly sessionId: string;
  /** Our redirect address for this marketplace. */
  readonly returnTo: string;
}

/** Milliseconds that a user may take on the marketplace's page. */
const CONSENT_TTL = 600_000;

/**
 * Starts an authorization on a marketplace's page. Only this session can complete it, once, within 10 minutes.
 * @returns the address of the page
 * @throws AppError conflict when a credential that the page needs is missing; SecretError when nothing can be encrypted
 */
export async function startConsent(
  deps: ConsentDeps,
  request: ConsentRequest,
  editor: Editor,
): Promise<string> {
  const { marketplace, sessionId, returnTo } = request;
  const { consent, credentials } = await deps.connections.consentOf(marketplace);
  const [state, verifier] = [newToken(), newToken()];
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const page = asConflict(() => consent.pageFor(credentials, { state, returnTo, challenge }));
  const stateHash = tokenHash(state);
  const key = await deps.secrets.forWriting();
  const at = deps.now();
  await transact(deps.db, async (tx) => {
    await replaceConsent(tx, {
      stateHash,
      marketplace,
      sessionId,
      returnTo,
      verifierEncrypted: sealSecret(key, consentPlace(stateHash), verifier),
      expiresAt: instant(at + CONSENT_TTL),
    });
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'marketplace.consent_begun',
      targetKind: 'marketplace',
      targetId: marketplace,
    });
  });
  return page;
}

/** Turns a connector error, which the user can fix, into a conflict. */
function asConflict<Value>(run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    if (error instanceof ConnectorError) throw new AppError('conflict', error.message);
    throw error;
  }
}
