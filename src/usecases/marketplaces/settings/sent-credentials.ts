import { type EditSettings, SECRET_MASK } from '#contract/settings.ts';
import { type Credential, credentialsOf, priceChannelOf } from '#domain/connections/credentials.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import type { SecretKey } from '#usecases/identity/encryption/secret-box.ts';
import { credentialKey } from './settings-columns.ts';
import { isSetIn, plainText, type StoredSettings, storedText } from './stored-credentials.ts';

/** One credential of a save request. */
export interface SentCredential extends Credential {
  readonly marketplace: Marketplace;
  /** "amazonRefreshToken" */
  readonly key: string;
  readonly value: string;
}

/** What a save is compared with: the stored settings, and the key that decrypts values that are not secret. */
export interface StoredBefore {
  readonly stored: StoredSettings;
  readonly key: SecretKey | null;
}

/** The credentials of a save request. Those it does not contain stay as they are. */
export function sentCredentials({ marketplaces }: EditSettings): SentCredential[] {
  return MARKETPLACES.flatMap((marketplace) => {
    const sent: Readonly<Record<string, string | boolean | undefined>> = marketplaces[marketplace];
    return credentialsOf(marketplace).flatMap((member) => {
      const value = sent[member.name];
      return typeof value === 'string'
        ? [{ ...member, marketplace, key: credentialKey(marketplace, member.name), value }]
        : [];
    });
  });
}

/** Whether a save keeps a secret as it is. */
export const isKept = (secret: string): boolean => secret === SECRET_MASK;
const isNew = (secret: string): boolean => secret !== '' && !isKept(secret);

/** Names of the secrets that get a new value. */
export function replacedSecrets(edit: EditSettings): string[] {
  const replaced = sentCredentials(edit).filter(({ isSecret, value }) => isSecret && isNew(value));
  return [...(isNew(edit.veeqo.apiKey) ? ['veeqoApiKey'] : []), ...replaced.map(({ key }) => key)];
}

/** Whether a save needs a key for encryption. */
export function encryptsAnything(edit: EditSettings): boolean {
  const isLocked = ({ isSecret, isFurther }: SentCredential): boolean => isSecret || isFurther;
  return (
    isNew(edit.veeqo.apiKey) || sentCredentials(edit).some((sent) => isLocked(sent) && isNew(sent.value))
  );
}

/** Whether a value differs from the stored one; a cleared value does, a new secret always. */
export function isChanged({ stored, key }: StoredBefore, sent: SentCredential): boolean {
  const { marketplace, isSecret, value } = sent;
  if (isSecret) return isNew(value) || (value === '' && storedText(stored, marketplace, sent) !== null);
  if (!sent.isFurther) return value !== (storedText(stored, marketplace, sent) ?? '');
  // A value that cannot be decrypted here counts as changed.
  const isUnread =
    storedText(stored, marketplace, sent) !== null && plainText(stored, marketplace, sent, key) === null;
  return isUnread || value !== (plainText(stored, marketplace, sent, key) ?? '');
}

/** Whether a value changes where secrets are sent. */
export function isMoved(before: StoredBefore, sent: SentCredential): boolean {
  return sent.leads.length > 0 && isOther(before, sent);
}

/** Marketplaces whose account differs after a save, or may: an opaque key counts as another account. */
export function otherAccounts(before: StoredBefore, edit: EditSettings): Marketplace[] {
  const others = sentCredentials(edit).filter((sent) => sent.isWhose && isOther(before, sent));
  return MARKETPLACES.filter((marketplace) => others.some((sent) => sent.marketplace === marketplace));
}

/** Whether the effective value changes. One that is not set has the default value. */
function isOther(before: StoredBefore, sent: SentCredential): boolean {
  if (!isChanged(before, sent)) return false;
  const was = plainText(before.stored, sent.marketplace, sent, before.key) ?? '';
  const isUnread = was === '' && storedText(before.stored, sent.marketplace, sent) !== null;
  return isUnread || (was === '' ? sent.standard : was) !== (sent.value === '' ? sent.standard : sent.value);
}

/** Whether a save sets or removes a secret, or changes where one is sent. */
export function touchesSecrets(before: StoredBefore, edit: EditSettings): boolean {
  const { apiKey } = edit.veeqo;
  if (isNew(apiKey) || (apiKey === '' && before.stored.row.veeqoApiKey !== null)) return true;
  return sentCredentials(edit).some(
    (sent) => (sent.isSecret && isChanged(before, sent)) || isMoved(before, sent),
  );
}

/**
 * Whether the engine may do more after a save: repricing or a marketplace with stored credentials is turned on, a
 * marketplace becomes connected, or sending prices is turned on.
 */
export function loosensSettings(before: StoredBefore, edit: EditSettings): boolean {
  const { row } = before.stored;
  if (edit.autoRepricing && !row.autoRepricing) return true;
  if (edit.marketplaces.michaels.allowWrites === 'yes' && isAllowedNow(before, edit)) return true;
  return MARKETPLACES.some((marketplace) => {
    const isSet = isSetIn(before.stored, marketplace);
    const channelBefore = priceChannelOf(marketplace, row[`${marketplace}Enabled`], isSet);
    const { enabled } = edit.marketplaces[marketplace];
    const channelAfter = priceChannelOf(marketplace, enabled, isSetAfter(before, edit, marketplace));
    const isSwitchedOn = enabled && !row[`${marketplace}Enabled`];
    return (
      (isSwitchedOn && channelBefore === 'paused') ||
      (channelBefore !== 'connected' && channelAfter === 'connected')
    );
  });
}

function isAllowedNow(before: StoredBefore, edit: EditSettings): boolean {
  return sentCredentials(edit).some(({ name, ...sent }) => {
    return name === 'allowWrites' && isChanged(before, { name, ...sent });
  });
}

function isSetAfter(
  { stored }: StoredBefore,
  edit: EditSettings,
  marketplace: Marketplace,
): (name: string) => boolean {
  const wasSet = isSetIn(stored, marketplace);
  const sent = new Map(
    sentCredentials(edit)
      .filter((each) => each.marketplace === marketplace)
      .map((each) => [each.name, each]),
  );
  return (name) => {
    const member = sent.get(name);
    if (member === undefined || (member.isSecret && isKept(member.value))) return wasSet(name);
    return member.value !== '';
  };
}
