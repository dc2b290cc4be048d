import { cancelQueued } from '#db/queries/marketplaces/price-intents.ts';
import { lockEngineSwitches, setRelease } from '#db/queries/repricing/engine.ts';
import { transact } from '#db/transact.ts';
import { ENGINE, type EngineDeps } from './engine-deps.ts';
import { resetMode } from './set-recommend-only.ts';

/**
 * Called once by whoever becomes the engine. After an upgrade every marketplace goes back to observe, so that nobody's
 * prices move by rules of a program they have not seen at work, and no price that the old program queued is sent. A mere
 * restart changes nothing: a run that was cut off is finished as it began.
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
    // A new install: whatever is armed was armed by somebody who looked at this very program.
    if (before === null) return;
    const reason = `Pricewright was upgraded from ${before} to ${release}.`;
    await resetMode(tx, [...live], ENGINE, reason, now());
    await cancelQueued(tx, reason, now());
  });
}
