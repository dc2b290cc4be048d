import { eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { marketplaceModes } from '#db/schema/repricing-state.ts';
import { appSettings } from '#db/schema/settings.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Millis, minutes } from '#domain/units.ts';

/** The maximum offer age of a marketplace. */
export interface OfferAge {
  readonly marketplace: Marketplace;
  /** The one that counts. */
  readonly age: Millis;
  /** The one that an administrator chose; null for none. */
  readonly chosen: Millis | null;
  /** The one that counts where none is chosen. */
  readonly automatic: Millis;
}

/** Of the six marketplaces. */
export async function listOfferAges(db: Db): Promise<OfferAge[]> {
  const rows = await db
    .select({
      marketplace: marketplaceModes.marketplace,
      chosen: marketplaceModes.maxOfferAgeMinutes,
      automatic: sql<number>`greatest(${appSettings.maxOfferAgeMinutes}, ${marketplaceModes.reachableOfferAgeMinutes})`,
    })
    .from(marketplaceModes)
    .crossJoin(appSettings);
  return rows.map(({ marketplace, chosen, automatic }) => ({
    marketplace,
    age: minutes(chosen ?? automatic),
    chosen: chosen === null ? null : minutes(chosen),
    automatic: minutes(automatic),
  }));
}

/** By marketplace, those that count. */
export function maxOfferAges(ages: readonly OfferAge[]): Record<Marketplace, Millis> {
  return Object.fromEntries(ages.map(({ marketplace, age }) => [marketplace, age])) as Record<
    Marketplace,
    Millis
  >;
}

/** @throws Error without the row that the migration writes */
export async function readOfferAge(db: Db, marketplace: Marketplace): Promise<OfferAge> {
  const found = (await listOfferAges(db)).find((each) => each.marketplace === marketplace);
  if (found === undefined) throw new Error(`The mode of ${marketplace} is missing; the migrations write it.`);
  return found;
}

/** Sets the age of a marketplace; where another one counts then, a database trigger marks its listings as due. @param age null: automatic */
export async function chooseOfferAge(tx: Db, marketplace: Marketplace, age: Millis | null): Promise<void> {
  await tx
    .update(marketplaceModes)
    .set({ maxOfferAgeMinutes: age === null ? null : age / MINUTE })
    .where(eq(marketplaceModes.marketplace, marketplace));
}

/** Stores the age that the budget reaches, if it is another one than before. */
export async function storeReachableAge(db: Db, marketplace: Marketplace, age: Millis | null): Promise<void> {
  const inMinutes = age === null ? null : age / MINUTE;
  await db.execute(sql`UPDATE marketplace_modes SET reachable_offer_age_minutes = ${inMinutes}
    WHERE marketplace = ${marketplace} AND reachable_offer_age_minutes IS DISTINCT FROM ${inMinutes}::int`);
}

const MINUTE = minutes(1);
