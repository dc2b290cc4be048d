import { eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { appSettings } from '#db/schema/settings.ts';
import type { Instant } from '#domain/units.ts';

const COLUMNS = {
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

/** The limits over every rule, without the other settings, which hold secrets. Times in minutes. */
export type RepricingLimitsRow = Pick<typeof appSettings.$inferSelect, keyof typeof COLUMNS>;

export async function readRepricingLimits(db: Db): Promise<RepricingLimitsRow> {
  return onlyRow(await db.select(COLUMNS).from(appSettings));
}

/** The current limits; the settings are locked until the end of the transaction. */
export async function lockRepricingLimits(tx: Db): Promise<RepricingLimitsRow> {
  return onlyRow(await tx.select(COLUMNS).from(appSettings).for('update'));
}

/** Saves the limits under the next version. */
export async function updateRepricingLimits(
  tx: Db,
  limits: Omit<RepricingLimitsRow, 'version'>,
  now: Instant,
): Promise<RepricingLimitsRow> {
  return onlyRow(
    await tx
      .update(appSettings)
      .set({ ...limits, version: sql`${appSettings.version} + 1`, updatedAt: now })
      .where(eq(appSettings.id, 'default'))
      .returning(COLUMNS),
  );
}

function onlyRow([row]: RepricingLimitsRow[]): RepricingLimitsRow {
  if (row === undefined) throw new Error('The settings have no row; the migration writes it.');
  return row;
}
