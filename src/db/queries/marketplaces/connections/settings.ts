import { eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { SettingsRecord } from '#db/queries/repricing/pricing-context.ts';
import { appSettings } from '#db/schema/settings.ts';
import type { Instant } from '#domain/units.ts';

export type SettingsPatch = Partial<Omit<SettingsRecord, 'id' | 'version' | 'updatedAt'>>;

/** The current settings, locked against other saves until the end of the transaction. */
export async function lockSettings(tx: Db): Promise<SettingsRecord> {
  return onlyRow(await tx.select().from(appSettings).for('update'));
}

/** Saves some of the settings under the next version. */
export async function updateSettings(tx: Db, patch: SettingsPatch, now: Instant): Promise<SettingsRecord> {
  const rows = await tx
    .update(appSettings)
    .set({ ...patch, version: sql`${appSettings.version} + 1`, updatedAt: now })
    .where(eq(appSettings.id, 'default'))
    .returning();
  return onlyRow(rows);
}

/** Records when SKUs were last synced from Veeqo. Not an edit: the version stays. */
export async function recordVeeqoSync(tx: Db, now: Instant): Promise<void> {
  await tx.update(appSettings).set({ veeqoLastSync: now });
}

/** Records when the proxy failed to pass on the client's address. Not an edit: the version stays. */
export async function recordHiddenClients(tx: Db, now: Instant): Promise<void> {
  await tx.update(appSettings).set({ clientsHiddenAt: now });
}

function onlyRow([row]: SettingsRecord[]): SettingsRecord {
  if (row === undefined) throw new Error('The settings have no row; the migration writes it.');
  return row;
}
