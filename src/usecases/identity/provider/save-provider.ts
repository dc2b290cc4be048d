import { isIssuer } from '#connectors/issuer.ts';
import type { EditProvider } from '#contract/identity-provider.ts';
import { SECRET_MASK } from '#contract/settings.ts';
import type { Db } from '#db/client.ts';
import { deleteApiTokensOfProviderUsers } from '#db/queries/identity/api-tokens.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import {
  deletePasswordSessionsOfUsers,
  deleteProviderSessions,
  lockProvider,
  type ProviderRow,
  writeProvider,
} from '#db/queries/identity/identity-provider.ts';
import { PROVIDER_SECRET_PLACE } from '#db/queries/identity/sealed-columns.ts';
import { lockAdmins } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { sealSecret } from '#usecases/identity/encryption/secret-box.ts';
import { type ProviderDeps, usesGroups } from './provider-deps.ts';

/** The stored settings, and the sessions that ended with the change. */
export interface SavedProvider {
  readonly provider: ProviderRow;
  readonly endedSessions: readonly string[];
}

/** What decides who comes in by the provider, and how far: sessions from before a change of it end. */
const DECISIVE = [
  'isOn',
  'issuer',
  'clientId',
  'adminGroups',
  'userGroups',
  'groupsClaim',
  'secondFactor',
  'factorAcrs',
] as const satisfies ReadonlyArray<keyof ProviderRow>;

/** Another one of these is another provider, to which the links of users do not belong. */
const IDENTIFYING = ['issuer', 'clientId'] as const satisfies ReadonlyArray<keyof ProviderRow>;

/**
 * Saves the identity provider. Sessions that were begun with it end when what decides about them changes, except the
 * editor's own.
 * @param keptId the editor's session
 * @throws AppError conflict when the settings were changed since they were read, validation_failed; SecretError when
 *   the client secret cannot be encrypted
 */
export async function saveProvider(
  deps: Pick<ProviderDeps, 'db' | 'now' | 'secrets'>,
  { version, clientSecret, ...edit }: EditProvider,
  editor: Editor,
  keptId: string,
): Promise<SavedProvider> {
  const isNew = clientSecret !== SECRET_MASK && clientSecret !== '';
  const key = isNew ? await deps.secrets.forWriting() : null;
  return transact(deps.db, async (tx) => {
    const admins = await lockAdmins(tx);
    const before = await lockProvider(tx);
    if ((before?.version ?? null) !== version) {
      throw new AppError(
        'conflict',
        'The settings were changed after you opened them. Reload the page and try again.',
      );
    }
    requireValid(edit, clientSecret, before);
    if (edit.directLogin === 'administrators' && !admins.some(({ password }) => password !== null)) {
      throw invalid(
        'directLogin',
        'No administrator has a password, so all would be locked out if the identity provider fails. Give one a password first.',
      );
    }
    const kept = clientSecret === '' ? null : (before?.clientSecret ?? null);
    const provider = await writeProvider(
      tx,
      {
        ...edit,
        scopes: distinct(['openid', ...edit.scopes]),
        adminGroups: distinct(edit.adminGroups),
        userGroups: distinct(edit.userGroups),
        factorAcrs: distinct(edit.factorAcrs),
        clientSecret: key === null ? kept : sealSecret(key, PROVIDER_SECRET_PLACE, clientSecret),
      },
      deps.now(),
    );
    const ended = await endWhatCame(tx, before, provider, keptId);
    await insertAudit(tx, {
      ...madeBy(editor, deps.now()),
      action: 'identity_provider.saved',
      targetKind: 'settings',
      before: before === null ? null : shown(before),
      after: { ...shown(provider), ...counted(ended) },
    });
    return { provider, endedSessions: ended.sessions };
  });
}

/**
 * Turns the identity provider off from the command line, so that everyone with a password can log in again.
 * @returns false when it was off
 */
export async function turnProviderOff(db: Db, at: Instant): Promise<boolean> {
  return transact(db, async (tx) => {
    const before = await lockProvider(tx);
    if (before === null || !before.isOn) return false;
    const { id: _id, version: _version, updatedAt: _updatedAt, ...values } = before;
    const after = await writeProvider(tx, { ...values, isOn: false, directLogin: 'all' }, at);
    const ended = await endWhatCame(tx, before, after, null);
    await insertAudit(tx, {
      at,
      actor: 'command line',
      action: 'identity_provider.saved',
      targetKind: 'settings',
      before: shown(before),
      after: { ...shown(after), ...counted(ended) },
    });
    return true;
  });
}

interface Ended {
  readonly sessions: readonly string[];
  readonly apiTokens: number;
}

/**
 * Ends what came by a way in that is closed or decided anew: sessions that were begun with the provider, and those of
 * users with a password where only administrators keep that way. Without the provider, or with another one, users
 * without a password cannot log in, so their API tokens end too.
 */
async function endWhatCame(
  tx: Db,
  before: ProviderRow | null,
  after: ProviderRow,
  keptId: string | null,
): Promise<Ended> {
  const isChanged = (names: readonly (keyof ProviderRow)[]): boolean =>
    before !== null && names.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const ofProvider = isChanged(DECISIVE) ? await deleteProviderSessions(tx, keptId) : [];
  const leavesPasswords = after.directLogin === 'administrators' && before?.directLogin !== 'administrators';
  const ofPasswords = leavesPasswords ? await deletePasswordSessionsOfUsers(tx) : [];
  const isOther = isChanged(IDENTIFYING) || (before?.isOn === true && !after.isOn);
  return {
    sessions: [...ofProvider, ...ofPasswords],
    apiTokens: isOther ? await deleteApiTokensOfProviderUsers(tx) : 0,
  };
}

/** For the audit log. */
function counted({ sessions, apiTokens }: Ended) {
  return { endedSessions: sessions.length, ...(apiTokens > 0 && { endedTokens: apiTokens }) };
}

/** For the audit log. */
function shown({ clientSecret, version: _version, updatedAt: _updatedAt, id: _id, ...rest }: ProviderRow) {
  return { ...rest, clientSecret: clientSecret === null ? '' : SECRET_MASK };
}

function requireValid(
  edit: Omit<EditProvider, 'version' | 'clientSecret'>,
  clientSecret: string,
  before: ProviderRow | null,
): void {
  const { issuer, isOn, directLogin, createsAccounts } = edit;
  if (!isIssuer(issuer)) {
    throw invalid(
      'issuer',
      'Enter an https address without query, such as https://login.example.com/realms/shop',
    );
  }
  // It would be sent to another service.
  if (clientSecret === SECRET_MASK && before !== null && before.issuer !== issuer) {
    throw invalid('clientSecret', 'Enter the client secret again: the issuer was changed.');
  }
  if (createsAccounts && !usesGroups(edit)) {
    throw invalid('userGroups', 'Name the groups that may have an account, or do not create accounts');
  }
  if (directLogin === 'administrators' && !isOn) {
    throw invalid('directLogin', 'Turn the identity provider on, or let everyone log in with a password');
  }
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}

function invalid(field: string, text: string): AppError {
  return new AppError('validation_failed', text, { fields: { [field]: text } });
}
