import { eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { integrations, marketplaceModes, repricingState } from '#db/schema/settings.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

type SwitchRow = typeof repricingState.$inferSelect;
type ModeRow = typeof marketplaceModes.$inferSelect;
type WayRow = typeof integrations.$inferSelect;

/** The switches of the engine as they stand. */
export interface Switches extends Omit<SwitchRow, 'id'> {
  readonly live: ReadonlySet<Marketplace>;
  /** Prices are sent there by calls. */
  readonly connected: ReadonlySet<Marketplace>;
  /** Paused or only read: whatever the mode, prices are only recommended there. */
  readonly unready: ReadonlySet<Marketplace>;
}

function switchesOf(
  [row]: readonly SwitchRow[],
  modes: readonly ModeRow[],
  ways: readonly WayRow[],
): Switches {
  if (row === undefined) throw new Error('The engine switch is missing; the migrations write it.');
  const { id: _, ...state } = row;
  const live = modes.filter(({ mode }) => mode === 'live').map(({ marketplace }) => marketplace);
  const by = (...channels: WayRow['priceChannel'][]): ReadonlySet<Marketplace> =>
    new Set(
      ways
        .filter(({ priceChannel }) => channels.includes(priceChannel))
        .map(({ marketplace }) => marketplace),
    );
  return {
    ...state,
    live: new Set(live),
    connected: by('connected'),
    unready: by('paused', 'read_only'),
  };
}

export async function readEngineSwitches(db: Db): Promise<Switches> {
  return switchesOf(
    await db.select().from(repricingState),
    await db.select().from(marketplaceModes),
    await db.select().from(integrations),
  );
}

/** The halt in force, by the moment it began; null for none. */
export async function readHalt(db: Db): Promise<Instant | null> {
  const [row] = await db
    .select({ since: repricingState.changedAt })
    .from(repricingState)
    .where(eq(repricingState.halted, true));
  return row?.since ?? null;
}

/**
 * The switches, which nobody moves until the end of the transaction. Whoever moves them waits that long, so keep it
 * for the last moment: once a halt is answered, nothing decided before it is recorded any more.
 * @throws a database error with SQLSTATE 55P03 when somebody is moving them now. Waiting could deadlock: arming and
 *   resuming mark listings as due that the caller has just cleared.
 */
export async function shareEngineSwitches(tx: Db): Promise<Switches> {
  return switchesOf(
    await tx.select().from(repricingState).for('share', { noWait: true }),
    await tx.select().from(marketplaceModes).for('share', { noWait: true }),
    await tx.select().from(integrations).for('share', { noWait: true }),
  );
}

/** The switches, for whoever moves them: one at a time. */
export async function lockEngineSwitches(tx: Db): Promise<Switches> {
  return switchesOf(
    await tx.select().from(repricingState).for('update'),
    await tx.select().from(marketplaceModes).orderBy(marketplaceModes.marketplace).for('update'),
    await tx.select().from(integrations),
  );
}

/** Halts or resumes. Resuming marks every listing as due, by a trigger. */
export async function setHalted(
  tx: Db,
  halted: boolean,
  by: string,
  reason: string | null,
  now: Instant,
): Promise<void> {
  await tx.update(repricingState).set({ halted, changedAt: now, changedBy: by, reason });
}

/** Remembers the plan that an administrator has seen. */
export async function setReviewedPlan(tx: Db, token: string, by: string, now: Instant): Promise<void> {
  await tx.update(repricingState).set({ reviewedPlan: token, reviewedAt: now, reviewedBy: by });
}

/**
 * Arms or disarms marketplaces; a trigger marks their listings as due.
 * @param because why they observe, where no person asked for that
 */
export async function setModes(
  tx: Db,
  marketplaces: readonly Marketplace[],
  mode: ModeRow['mode'],
  by: string,
  now: Instant,
  because: ModeRow['resetReason'] = null,
): Promise<void> {
  await tx
    .update(marketplaceModes)
    .set({ mode, changedAt: now, changedBy: by, resetReason: because })
    .where(inArray(marketplaceModes.marketplace, [...marketplaces]));
}

export async function setRelease(tx: Db, release: string): Promise<void> {
  await tx.update(repricingState).set({ release });
}

/** Minutes from one full run to the next, and the global switch. */
export async function readSchedule(db: Db): Promise<{ checkInterval: number; autoRepricing: boolean }> {
  const { rows } = await db.execute<{ checkInterval: number; autoRepricing: boolean }>(
    sql`SELECT check_interval AS "checkInterval", auto_repricing AS "autoRepricing" FROM app_settings`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The settings row is missing; the migrations write it.');
  return row;
}
