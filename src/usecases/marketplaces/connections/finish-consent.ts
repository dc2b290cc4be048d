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
} from '#db/queries/marketplaces/connector-credentials.ts';
import { type ConsentRow, takeConsent as takeConsentRow } from '#db/queries/marketplaces/consents.ts';
import { dropTokens, noteNewCredentials, readTokens } from '#db/queries/marketplaces/integrations.ts';
import { lockSettings, updateSettings } from '#db/queries/marketplaces/settings.ts';
import { readEngineSwitches } from '#db/queries/repricing/engine.ts';
import { transact } from '#db/transact.ts';
import { type Consented, credentialsOf } from '#domain/credentials.ts';
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

/** What a browser came back with, and whose it is. */
export interface ConsentReturn {
  readonly marketplace: Consented;
  readonly sessionId: string;
  /** The whole address that the marketplace led to. */
  readonly address: string;
}

/**
 * Takes the answer of a consent page: exchanges it, and stores what it is worth in the place of a pasted refresh token.
 * @param signal ends the exchange
 * @returns when the consent ends; null when it does not, or nobody says
 * @throws AppError in plain words when the consent was declined, is somebody else's, was used or is too old, or the
 * marketplace does not take it; SecretError when nothing can be locked here
 */
export async function finishConsent(
  deps: ConsentDeps,
  brought: ConsentReturn,
  editor: Editor,
  signal: AbortSignal,
): Promise<Instant | null> {
  const { marketplace } = brought;
  const name = MARKETPLACE_NAMES[marketplace];
  const { state, code } = readConsentAnswer(name, brought.address);
  // All that can fail here is asked for before the code is spent.
  const { consent, credentials, epoch } = await deps.connections.consentOf(marketplace);
  const key = await deps.secrets.forWriting();
  const { stateHash, returnTo, verifierEncrypted } = await takeRow(deps, brought, tokenHash(state), editor);
  const verifier = openSecret(key, consentPlace(stateHash), verifierEncrypted);
  try {
    const given = await consent.exchange(credentials, { code, returnTo, verifier }, signal);
    await storeConsent(deps, { marketplace, epoch, key, given }, editor);
    return given.endsAt;
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    // Refused, it says so itself. After anything else the code may be spent all the same.
    const again = error.fault === 'key' ? '' : ` Choose "Connect ${name}" again.`;
    throw new AppError('conflict', `${error.message}${again}`);
  }
}

/** The way there that the answer belongs to; from here on it is used. */
async function takeRow(
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
  /** Of the credentials that the answer was exchanged with. */
  readonly epoch: number;
  readonly key: SecretKey;
  readonly given: GivenConsent;
}

/** A page of settings that is open somewhere must not save the old day over the new one: the version goes on. */
async function storeConsent(
  { db, now }: ConsentDeps,
  { marketplace, epoch, key, given }: Stored,
  editor: Editor,
): Promise<void> {
  const { refreshToken, endsAt } = given;
  const at = now();
  const values: Readonly<Record<string, string>> = {
    refreshToken,
    refreshTokenExpiresAt: endsAt === null ? '' : new Date(endsAt).toISOString().slice(0, 10),
  };
  await transact(db, async (tx) => {
    const row = await lockSettings(tx);
    const { integration } = await readTokens(tx, marketplace);
    if (integration.epoch !== epoch) throw changedMeanwhile(marketplace);
    const before = await seenOf(tx, marketplace, row, key);
    const { connected } = await readEngineSwitches(tx);
    for (const member of membersOf(marketplace)) {
      const value = values[member.name] ?? '';
      const locked = value === '' ? null : sealSecret(key, placeOf(marketplace, member), value);
      await setFurtherCredential(tx, marketplace, member.name, locked, at);
    }
    await noteNewCredentials(tx, [marketplace]);
    await dropTokens(tx, [marketplace]);
    const saved = await updateSettings(tx, {}, at);
    // Nobody says whose consent it is.
    await resetModeOnConnect(tx, connected, [marketplace], editor, at);
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'marketplace.connected',
      targetKind: 'marketplace',
      targetId: marketplace,
      before,
      after: await seenOf(tx, marketplace, saved, key),
    });
    await notify(tx, 'pricewright_engine', []);
  });
}

/** The members that a consent decides about. */
function membersOf(marketplace: Consented) {
  return credentialsOf(marketplace).filter(({ name }) => name.startsWith('refreshToken'));
}

/** Those members as the audit log may know them. */
async function seenOf(
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

function changedMeanwhile(marketplace: Consented): AppError {
  const name = MARKETPLACE_NAMES[marketplace];
  return new AppError(
    'conflict',
    `The credentials of ${name} were changed during the authorization. Choose "Connect ${name}" again.`,
  );
}
