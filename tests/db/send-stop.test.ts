import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { BROKEN_LEDGERS } from '#tests/support/engine-shop.ts';
import { sendProof } from '#tests/support/send-proof.ts';

/*
 * Two programs that work beside one that answers, on one database. Whichever sends is stopped in the middle of it with
 * SIGSTOP, and woken: `npm run proof:send -- --stopped`, minutes long.
 */
const IS_WANTED = process.env.PRICEWRIGHT_SEND_STOPPED === '1';
const MINUTE = 60_000;
/** It sleeps on its duty, past the end of its duty that the test brings, and past the one that comes by itself. */
const STOPS = [
  { lasts: MINUTE / 2, isFreed: false },
  { lasts: MINUTE, isFreed: true },
  { lasts: 2 * MINUTE, isFreed: false },
];
const PATIENCE = { timeout: 5 * MINUTE, interval: 20 };

const proof = sendProof(500, IS_WANTED);

/** Stops whoever sends between two prices, and wakes it later. @returns whether another one sent meanwhile */
async function stopAndWake(
  programOf: (sender: string | null) => ChildProcess,
  { lasts, isFreed }: (typeof STOPS)[number],
): Promise<boolean> {
  const before = proof.log.heard();
  await expect.poll(() => proof.log.heard() > before, PATIENCE).toBe(true);
  await pause(Math.random() * 1_500);
  const sender = await proof.sender();
  const program = programOf(sender);
  program.kill('SIGSTOP');
  const wakeAt = Date.now() + lasts;
  // What was on the wire is heard.
  await pause(1_000);
  const asleep = proof.log.heard();
  if (isFreed) await proof.freeDuties();
  while (Date.now() < wakeAt) {
    await pause(250);
    proof.log.heard();
  }
  const meanwhile = proof.log.heard() - asleep;
  const states = JSON.stringify(await proof.states());
  console.log(
    `${asleep - before} prices heard, ${meanwhile} while it slept ${lasts / 1_000} s, intents ${states}`,
  );
  const isTakenOver = (await proof.sender()) !== sender;
  program.kill('SIGCONT');
  return isTakenOver && meanwhile > 0;
}

test.runIf(IS_WANTED)(
  'of two programs one is stopped while it sends, and woken: every price is heard once',
  { timeout: 40 * MINUTE },
  async () => {
    await proof.moveRivals();
    const first = proof.start('work');
    await expect.poll(proof.sender, PATIENCE).toBeTypeOf('string');
    const firstSender = await proof.sender();
    const second = proof.start('work');
    const programs = [first, second, proof.start('serve')];
    const takenOver: boolean[] = [];
    for (const stop of STOPS) {
      takenOver.push(await stopAndWake((sender) => (sender === firstSender ? first : second), stop));
      await proof.finish();
      await proof.moveRivals();
    }
    await proof.finish();
    // Its duty lasts for half a minute to a minute more: the first sleep is mostly over by then.
    expect(takenOver).toEqual([expect.any(Boolean), true, true]);
    expect(programs.map(({ exitCode }) => exitCode)).toEqual([null, null, null]);
    expect((await proof.db.execute(BROKEN_LEDGERS)).rows).toEqual([]);
    await proof.log.expectSentWell();
    console.log(`${proof.log.heard()} prices heard, intents ${JSON.stringify(await proof.states())}`);
  },
);
