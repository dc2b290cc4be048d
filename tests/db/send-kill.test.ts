import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { hours } from '#domain/units.ts';
import { IS_ALL } from '#tests/support/breadth.ts';
import { BROKEN_LEDGERS } from '#tests/support/engine-shop.ts';
import { endProgram, sendProof } from '#tests/support/send-proof.ts';

/*
 * The program itself, killed with SIGKILL at random moments while it sends prices to the Amazon of the sandbox, which
 * lives on in this process. With `--all` alone: every statement of a pass is cut in crashes.test.ts. `npm run proof:send`
 * asks for more kills and listings than a test run has time for.
 */
const KILLS = Number(process.env.PRICEWRIGHT_SEND_KILLS ?? 3);
const IS_SHORT = process.env.PRICEWRIGHT_SEND_KILLS === undefined;
const LISTINGS = IS_SHORT ? 60 : 500;
/** From the start of the program, and from its first price on. */
const STARTING = 5_000;
const SENDING = IS_SHORT ? 1_000 : 5_000;

const proof = sendProof(LISTINGS, true);

/** Kills it while it sends, and every fourth one at any moment from its start on. @returns who sent */
async function runAndKill(killed: number): Promise<string | null> {
  const before = proof.log.heard();
  const program = proof.start('work');
  if (killed % 4 === 0) await pause(Math.random() * STARTING);
  else {
    await expect.poll(() => proof.log.heard() > before, { timeout: 120_000, interval: 20 }).toBe(true);
    await pause(Math.random() * SENDING);
  }
  await endProgram(program);
  // Longer than the next one waits for it: that one goes by the session, which is gone.
  await proof.db.execute(sql`UPDATE leases SET expires_at = clock_timestamp() + interval '100 seconds'`);
  const sender = await proof.sender();
  // In between there is one start that finds prices of which nobody knows anything yet.
  if (IS_SHORT && killed % 2 === 0) await proof.passTime(hours(1 / 20));
  const heard = proof.log.heard() - before;
  console.log(`kill ${killed}: ${heard} prices heard, intents ${JSON.stringify(await proof.states())}`);
  return sender;
}

test.skipIf(IS_SHORT && !IS_ALL)(
  `after ${KILLS} kill(s) buyers see what the ledger says, and every price was heard once`,
  {
    timeout: 120_000 + KILLS * 60_000,
  },
  async () => {
    let dead: string | null = null;
    for (let killed = 1; killed <= KILLS; killed++) {
      await proof.moveRivals();
      dead = await runAndKill(killed);
    }
    const program = proof.start('work');
    await expect.poll(proof.sender, { timeout: 90_000, interval: 100 }).not.toBe(dead);
    await proof.finish();
    await endProgram(program);
    expect(await proof.strays()).toEqual([]);
    expect((await proof.db.execute(BROKEN_LEDGERS)).rows).toEqual([]);
    await proof.log.expectSentWell();
    const states = JSON.stringify(await proof.states());
    console.log(`${proof.log.heard()} prices heard, intents ${states}`);
  },
);
