import { ConnectorError } from '#connectors/connector-error.ts';
import { readSettings } from '#db/queries/repricing/pricing-context.ts';
import { SecretError } from '#usecases/identity/encryption/secret-box.ts';
import { type InventoryDeps, readinessProblem, veeqoKey } from './sync-veeqo.ts';

/**
 * Makes the smallest request to Veeqo with the stored API key.
 * @returns what is wrong, as a sentence; null when Veeqo accepts the key
 */
export async function checkVeeqo(
  { db, secrets, inventory }: Omit<InventoryDeps, 'now'>,
  signal: AbortSignal,
): Promise<string | null> {
  const settings = await readSettings(db);
  const problem = readinessProblem(settings);
  if (problem !== null) return problem;
  try {
    await inventory.check(await veeqoKey(settings, secrets), signal);
    return null;
  } catch (error) {
    if (error instanceof ConnectorError || error instanceof SecretError) return error.message;
    throw error;
  }
}
