import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { hours } from '#domain/units.ts';
import { IS_ALL } from '#tests/support/breadth.ts';
import { BROKEN_LEDGERS } from '#tests/support/engine-shop.ts';
import { endProgram, sendProof } from '#tests/support/send-proof.ts';

/*
 * The program, killed with SIGKILL while it sends prices to the sandbox's Amazon, which continues in this process. Only with `--all`: crashes.test.ts interrupts every statement of a sending pass. `npm run proof:send`
 * runs more kills and listings than a test run has time for.
 */
const IS_SHORT = process.env.PRICEWRIGHT_SEND_KILLS === undefined;
const KILLS = Number(process.env.PRICEWRIGHT_SEND_KILLS ?? 3);
const LISTINGS = IS_SHORT ? 60 : 500;
/** The proof by hand kills at random moments: milliseconds since the start of the program, and since its first price. */
const STARTING = 5_000;
const SENDING = 5_000;
/** A test run kills after so many prices, another number each time, which no machine is too slow for. */
const PRICES = [1, 8, 15];

const proof = sendProof(LISTINGS, true);

/** Kills it while it sends, and by hand every fourth one at any time since its start. @returns the sender */
async function runAndKill(killed: number): Promise<string | null> {
  const before = proof.log.received();
  const program = proof.start('work');
  const sendsAtLeast = (count: number) =>
    expect.poll(() => proof.log.received() - before).toBeGreaterThanOrEqual(count);
  if (IS_SHORT) await sendsAtLeast(PRICES[killed - 1] ?? 1);
  else if (killed % 4 === 0) await pause(Math.random() * STARTING);
  else {
    await sendsAtLeast(1);
    await pause(Math.random() * SENDING);
  }
  await endProgram(program);
  // Longer than the next one waits for it: that one checks the session, which has ended.
  await proof.db.execute(sql`UPDATE leases SET expires_at = clock_timestamp() + interval '100 seconds'`);
  const sender = await proof.sender();
  // In between, one start finds prices of unknown result.
  if (IS_SHORT && killed % 2 === 0) await proof.passTime(hours(1 / 20));
  const received = proof.log.received() - before;
  console.log(`kill ${killed}: ${received} prices received, intents ${JSON.stringify(await proof.states())}`);
  return sender;
}

test.skipIf(IS_SHORT && !IS_ALL)(
  `after ${KILLS} kill(s) buyers see the price of the ledger, and every price was received once`,
  {
    timeout: 300_000 * (1 + KILLS),
  },
  async () => {
    let dead: string | null = null;
    for (let killed = 1; killed <= KILLS; killed++) {
      await proof.moveCompetitors();
      dead = await runAndKill(killed);
    }
    const program = proof.start('work');
    await expect.poll(proof.sender).not.toBe(dead);
    await proof.finish();
    await endProgram(program);
    expect(await proof.strays()).toEqual([]);
    expect((await proof.db.execute(BROKEN_LEDGERS)).rows).toEqual([]);
    await proof.log.expectSentWell();
    const states = JSON.stringify(await proof.states());
    console.log(`${proof.log.received()} prices received, intents ${states}`);
  },
);
