import { eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { appSettings } from '#db/schema/settings.ts';
import type { Instant } from '#domain/units.ts';

const GUARDS = {
  autoRepricing: appSettings.autoRepricing,
  checkInterval: appSettings.checkInterval,
  maxOfferAgeMinutes: appSettings.maxOfferAgeMinutes,
  maxStep: appSettings.maxStep,
  maxDailyChange: appSettings.maxDailyChange,
  minStep: appSettings.minStep,
  cooldownMinutes: appSettings.cooldownMinutes,
  priceWarThreshold: appSettings.priceWarThreshold,
  priceWarPauseMinutes: appSettings.priceWarPauseMinutes,
  holdMinutes: appSettings.holdMinutes,
  breakerDropShare: appSettings.breakerDropShare,
  breakerDropDepth: appSettings.breakerDropDepth,
  breakerSameOutcomeShare: appSettings.breakerSameOutcomeShare,
  version: appSettings.version,
};

/** The limits over every rule, and nothing else of the settings: those hold secrets. Times in minutes. */
export type GuardsRow = Pick<typeof appSettings.$inferSelect, keyof typeof GUARDS>;

export async function readGuards(db: Db): Promise<GuardsRow> {
  return theRow(await db.select(GUARDS).from(appSettings));
}

/** The guards as they are now; until the end of the transaction nobody else saves settings. */
export async function lockGuards(tx: Db): Promise<GuardsRow> {
  return theRow(await tx.select(GUARDS).from(appSettings).for('update'));
}

/** Saves the guards under the next version. */
export async function updateGuards(
  tx: Db,
  guards: Omit<GuardsRow, 'version'>,
  now: Instant,
): Promise<GuardsRow> {
  return theRow(
    await tx
      .update(appSettings)
      .set({ ...guards, version: sql`${appSettings.version} + 1`, updatedAt: now })
      .where(eq(appSettings.id, 'default'))
      .returning(GUARDS),
  );
}

function theRow([row]: GuardsRow[]): GuardsRow {
  if (row === undefined) throw new Error('The settings have no row; the migration writes it.');
  return row;
}
