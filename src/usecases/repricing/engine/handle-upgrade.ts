import { cancelQueued } from '#db/queries/marketplaces/sending/queued-prices.ts';
import { lockEngineSwitches, setRelease } from '#db/queries/repricing/engine.ts';
import { transact } from '#db/transact.ts';
import { ENGINE, type EngineDeps } from './engine-deps.ts';
import { resetMode } from './set-recommend-only.ts';

/**
 * Called once by a process that becomes the engine. After an upgrade every marketplace is switched to recommend only, so
 * that a new release changes no price before its results were reviewed, and prices queued by the old release are canceled.
 * A restart of the same release changes nothing; an interrupted run is continued.
 * @param release version and schema of this program, such as "1.3.0/11"
 */
export async function handleUpgrade(
  { db, now }: Pick<EngineDeps, 'db' | 'now'>,
  release: string,
): Promise<void> {
  await transact(db, async (tx) => {
    const { release: before, live } = await lockEngineSwitches(tx);
    if (before === release) return;
    await setRelease(tx, release);
    // A new installation: live marketplaces went live with this release.
    if (before === null) return;
    const reason = `Pricewright was upgraded from ${before} to ${release}.`;
    await resetMode(tx, [...live], ENGINE, reason, now());
    await cancelQueued(tx, reason, now());
  });
}
