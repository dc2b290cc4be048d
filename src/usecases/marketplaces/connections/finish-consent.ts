import { ConnectorError } from '#connectors/connector-error.ts';
import type { GivenConsent } from '#connectors/oauth-consent.ts';
import { SECRET_MASK } from '#contract/settings.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { consentPlace } from '#db/queries/identity/sealed-columns.ts';
import {
  listFurtherCredentials,
  setFurtherCredential,
} from '#db/queries/marketplaces/connections/connector-credentials.ts';
import {
  type ConsentRow,
  takeConsent as takeConsentRow,
} from '#db/queries/marketplaces/connections/consents.ts';
import {
  dropTokens,
  readTokens,
  recordNewCredentials,
} from '#db/queries/marketplaces/connections/integrations.ts';
import { lockSettings, updateSettings } from '#db/queries/marketplaces/connections/settings.ts';
import { readEngineSwitches } from '#db/queries/repricing/engine.ts';
import { transact } from '#db/transact.ts';
import { type Consented, credentialsOf } from '#domain/connections/credentials.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { tokenHash } from '#usecases/identity/accounts/secret-token.ts';
import { openSecret, type SecretKey, sealSecret } from '#usecases/identity/encryption/secret-box.ts';
import { placeOf, plainText, storedText } from '#usecases/marketplaces/settings/stored-credentials.ts';
import { resetModeOnConnect } from '#usecases/repricing/engine/reset-mode-on-connect.ts';
import { readConsentAnswer } from './consent-answer.ts';
import type { ConsentDeps } from './start-consent.ts';

/** A redirect back from a marketplace's authorization page. */
export interface ConsentReturn {
  readonly marketplace: Consented;
  readonly sessionId: string;
  /** The full address that the marketplace redirected to. */
  readonly address: string;
}

/**
 * Completes an authorization: exchanges its code and stores the refresh token.
 * @param signal aborts the exchange
 * @returns when the authorization ends; null when it does not end, or the marketplace does not report it
 * @throws AppError conflict when it was declined, started in another session, already used or has expired, or the
 * marketplace rejects it; SecretError when nothing can be encrypted here
 */
export async function finishConsent(
  deps: ConsentDeps,
  answer: ConsentReturn,
  editor: Editor,
  signal: AbortSignal,
): Promise<Instant | null> {
  const { marketplace } = answer;
  const name = MARKETPLACE_NAMES[marketplace];
  const { state, code } = readConsentAnswer(name, answer.address);
  // Everything that can fail on our side is loaded before the code is used.
  const { consent, credentials, epoch } = await deps.connections.consentOf(marketplace);
  const key = await deps.secrets.forWriting();
  const { stateHash, returnTo, verifierEncrypted } = await consumeConsent(
    deps,
    answer,
    tokenHash(state),
    editor,
  );
  const verifier = openSecret(key, consentPlace(stateHash), verifierEncrypted);
  try {
    const grant = await consent.exchange(credentials, { code, returnTo, verifier }, signal);
    await storeConsent(deps, { marketplace, epoch, key, grant }, editor);
    return grant.endsAt;
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    // A rejection explains itself. After any other error the code may have been used, so the user has to start again.
    const again = error.fault === 'key' ? '' : ` Choose "Connect ${name}" again.`;
    throw new AppError('conflict', `${error.message}${again}`);
  }
}

/** Consumes the stored authorization request that the redirect belongs to. */
async function consumeConsent(
  { db, now }: ConsentDeps,
  { marketplace, sessionId }: ConsentReturn,
  stateHash: string,
  editor: Editor,
): Promise<ConsentRow> {
  const name = MARKETPLACE_NAMES[marketplace];
  const at = now();
  const row = await transact(db, async (tx) => {
    const taken = await takeConsentRow(tx, { stateHash, marketplace, sessionId });
    if (taken === null) return null;
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'marketplace.consent_answered',
      targetKind: 'marketplace',
      targetId: marketplace,
    });
    return taken;
  });
  if (row === null) {
    throw new AppError(
      'conflict',
      `This authorization was already used or was started in another session. Choose "Connect ${name}" again.`,
    );
  }
  if (row.expiresAt <= at) {
    throw new AppError(
      'conflict',
      `The authorization at ${name} took more than 10 minutes. Choose "Connect ${name}" again.`,
    );
  }
  return row;
}

interface Stored {
  readonly marketplace: Consented;
  /** Of the credentials that the code was exchanged with. */
  readonly epoch: number;
  readonly key: SecretKey;
  readonly grant: GivenConsent;
}

/** Also increases the settings version, so that a settings page opened before cannot overwrite the new expiry date. */
async function storeConsent(
  { db, now }: ConsentDeps,
  { marketplace, epoch, key, grant }: Stored,
  editor: Editor,
): Promise<void> {
  const { refreshToken, endsAt } = grant;
  const at = now();
  const values: Readonly<Record<string, string>> = {
    refreshToken,
    refreshTokenExpiresAt: endsAt === null ? '' : new Date(endsAt).toISOString().slice(0, 10),
  };
  await transact(db, async (tx) => {
    const row = await lockSettings(tx);
    const { integration } = await readTokens(tx, marketplace);
    if (integration.epoch !== epoch) throw credentialsChanged(marketplace);
    const before = await maskedMembers(tx, marketplace, row, key);
    const { connected } = await readEngineSwitches(tx);
    for (const member of membersOf(marketplace)) {
      const value = values[member.name] ?? '';
      const locked = value === '' ? null : sealSecret(key, placeOf(marketplace, member), value);
      await setFurtherCredential(tx, marketplace, member.name, locked, at);
    }
    await recordNewCredentials(tx, [marketplace]);
    await dropTokens(tx, [marketplace]);
    const saved = await updateSettings(tx, {}, at);
    // The authorization does not show which account it is for, so it counts as another one.
    await resetModeOnConnect(tx, connected, [marketplace], editor, at);
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'marketplace.connected',
      targetKind: 'marketplace',
      targetId: marketplace,
      before,
      after: await maskedMembers(tx, marketplace, saved, key),
    });
    await notify(tx, 'pricewright_engine', []);
  });
}

/** The credentials that an authorization sets. */
function membersOf(marketplace: Consented) {
  return credentialsOf(marketplace).filter(({ name }) => name.startsWith('refreshToken'));
}

/** Those credentials, masked for the audit log. */
async function maskedMembers(
  tx: Db,
  marketplace: Consented,
  row: Awaited<ReturnType<typeof lockSettings>>,
  key: SecretKey,
): Promise<Record<string, string>> {
  const stored = { row, further: await listFurtherCredentials(tx) };
  return Object.fromEntries(
    membersOf(marketplace).map((member) => {
      const isSet = storedText(stored, marketplace, member) !== null;
      const shown = member.isSecret ? SECRET_MASK : (plainText(stored, marketplace, member, key) ?? '');
      return [member.name, isSet ? shown : ''];
    }),
  );
}

function credentialsChanged(marketplace: Consented): AppError {
  const name = MARKETPLACE_NAMES[marketplace];
  return new AppError(
    'conflict',
    `The credentials of ${name} were changed during the authorization. Choose "Connect ${name}" again.`,
  );
}
