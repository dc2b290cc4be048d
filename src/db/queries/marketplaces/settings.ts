import { eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { SettingsRecord } from '#db/queries/repricing/pricing-context.ts';
import { appSettings } from '#db/schema/settings.ts';
import type { Instant } from '#domain/units.ts';

export type SettingsPatch = Partial<Omit<SettingsRecord, 'id' | 'version' | 'updatedAt'>>;

/** The settings as they are now; until the end of the transaction nobody else saves them. */
export async function lockSettings(tx: Db): Promise<SettingsRecord> {
  return theRow(await tx.select().from(appSettings).for('update'));
}

/** Saves some of the settings under the next version. */
export async function updateSettings(tx: Db, patch: SettingsPatch, now: Instant): Promise<SettingsRecord> {
  const rows = await tx
    .update(appSettings)
    .set({ ...patch, version: sql`${appSettings.version} + 1`, updatedAt: now })
    .where(eq(appSettings.id, 'default'))
    .returning();
  return theRow(rows);
}

/** Remembers when SKUs were last read from Veeqo. Nobody's edit: the version stays. */
export async function noteVeeqoSync(tx: Db, now: Instant): Promise<void> {
  await tx.update(appSettings).set({ veeqoLastSync: now });
}

/** Remembers when the proxy in front did not say who called. Nobody's edit: the version stays. */
export async function noteHiddenClients(tx: Db, now: Instant): Promise<void> {
  await tx.update(appSettings).set({ clientsHiddenAt: now });
}

function theRow([row]: SettingsRecord[]): SettingsRecord {
  if (row === undefined) throw new Error('The settings have no row; the migration writes it.');
  return row;
}
