import type { Db } from '#db/client.ts';
import type { Config } from '#src/config.ts';
import { keyInFolder } from '#usecases/identity/encryption/key-folder.ts';
import { SecretError } from '#usecases/identity/encryption/secret-box.ts';
import { configuredKey, type MasterKeys } from '#usecases/identity/encryption/secret-keys.ts';
import { findLostSecrets, isAnyLost } from '#usecases/identity/users/lost-secrets.ts';
import { StartError } from './start-error.ts';

type KeyConfig = Pick<Config, 'secretKey' | 'oldSecretKeys' | 'dataDir'>;

/** The key outside of the database: from the environment, else in the data folder. */
export function masterKeysOf({ secretKey, oldSecretKeys, dataDir }: KeyConfig): MasterKeys {
  return secretKey === null ? keyInFolder(dataDir) : configuredKey(secretKey, oldSecretKeys);
}

/**
 * Stops a start without the key of stored secrets: otherwise the first failing sync would reveal the problem.
 * @throws StartError with the fixes
 */
export async function requireReadableSecrets(db: Db, config: KeyConfig): Promise<void> {
  const lost = await findLostSecrets(db, masterKeysOf(config)).catch((error: unknown) => {
    throw error instanceof SecretError ? new StartError(error.message) : error;
  });
  if (!isAnyLost(lost)) return;
  throw new StartError(
    `Stored secrets are encrypted with a key that is not available (${lost.missing.join(', ')}). ` +
      `Set PRICEWRIGHT_SECRET_KEY to it, or restore secret.key in ${config.dataDir}. ` +
      'If it is lost, "pricewright keys forget --yes" removes those secrets; then start again and enter them again.',
  );
}
