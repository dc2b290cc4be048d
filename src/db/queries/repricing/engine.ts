import { eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { integrations } from '#db/schema/connections.ts';
import { marketplaceModes, type REVIEW_SCOPES, repricingState } from '#db/schema/repricing-state.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

type SwitchRow = typeof repricingState.$inferSelect;
type ModeRow = typeof marketplaceModes.$inferSelect;
type IntegrationRow = typeof integrations.$inferSelect;

/** The current switches of repricing. */
export interface Switches extends Omit<SwitchRow, 'id'> {
  readonly live: ReadonlySet<Marketplace>;
  /** Prices are sent there automatically. */
  readonly connected: ReadonlySet<Marketplace>;
  /** Paused or read-only: in every mode, prices there are only recommended. */
  readonly unready: ReadonlySet<Marketplace>;
}

function switchesOf(
  [row]: readonly SwitchRow[],
  modes: readonly ModeRow[],
  rows: readonly IntegrationRow[],
): Switches {
  if (row === undefined) throw new Error('The engine switch is missing; the migrations write it.');
  const { id: _, ...state } = row;
  const live = modes.filter(({ mode }) => mode === 'live').map(({ marketplace }) => marketplace);
  const by = (...channels: IntegrationRow['priceChannel'][]): ReadonlySet<Marketplace> =>
    new Set(
      rows
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

/** Start of the current halt; null for none. */
export async function readHalt(db: Db): Promise<Instant | null> {
  const [row] = await db
    .select({ since: repricingState.changedAt })
    .from(repricingState)
    .where(eq(repricingState.halted, true));
  return row?.since ?? null;
}

/**
 * The switches, locked against changes until the end of the transaction. A change waits that long, so lock them as
 * late as possible: once a halt is confirmed, no earlier decision is recorded.
 * @throws a database error with SQLSTATE 55P03 while they are being changed. Waiting could deadlock: going live and
 *   resuming mark listings as due that the caller has just cleared.
 */
export async function shareEngineSwitches(tx: Db): Promise<Switches> {
  return switchesOf(
    await tx.select().from(repricingState).for('share', { noWait: true }),
    await tx.select().from(marketplaceModes).for('share', { noWait: true }),
    await tx.select().from(integrations).for('share', { noWait: true }),
  );
}

/** The switches, locked to change them: one transaction at a time. */
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

/** Of the whole store, or the changes of one rule alone. */
export type ReviewScope = (typeof REVIEW_SCOPES)[number];

/** Records the plan that an administrator has reviewed. */
export async function setReviewedPlan(
  tx: Db,
  reviewed: { readonly token: string; readonly scope: ReviewScope },
  by: string,
  now: Instant,
): Promise<void> {
  const { token, scope } = reviewed;
  await tx
    .update(repricingState)
    .set({ reviewedPlan: token, reviewedScope: scope, reviewedAt: now, reviewedBy: by });
}

/**
 * Sets the mode of marketplaces; a trigger marks their listings as due.
 * @param because why they only recommend, if no user chose that
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

/** When a restore was noticed that no administrator has confirmed yet; null for none. */
export async function readUnconfirmedRestore(db: Db): Promise<Instant | null> {
  const [row] = await db.select({ at: repricingState.unconfirmedRestoreAt }).from(repricingState);
  return row?.at ?? null;
}

/** @param at null: it is confirmed */
export async function setUnconfirmedRestore(tx: Db, at: Instant | null): Promise<void> {
  await tx.update(repricingState).set({ unconfirmedRestoreAt: at });
}

export async function setRelease(tx: Db, release: string): Promise<void> {
  await tx.update(repricingState).set({ release });
}

/** Minutes between two full checks, and the global switch. */
export async function readSchedule(db: Db): Promise<{ checkInterval: number; autoRepricing: boolean }> {
  const { rows } = await db.execute<{ checkInterval: number; autoRepricing: boolean }>(
    sql`SELECT check_interval AS "checkInterval", auto_repricing AS "autoRepricing" FROM app_settings`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The settings row is missing; the migrations write it.');
  return row;
}
