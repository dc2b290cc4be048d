import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { BROKEN_LEDGERS } from '#tests/support/engine-shop.ts';
import { sendProof } from '#tests/support/send-proof.ts';

/*
 * Two worker programs and a server, on one database. The one that sends is stopped sentByOther with SIGSTOP, and
 * resumed: `npm run proof:send -- --stopped`, minutes long.
 */
const IS_WANTED = process.env.PRICEWRIGHT_SEND_STOPPED === '1';
const MINUTE = 60_000;
/** It sleeps within its lease, past the end that the test sets, and past the regular end of its lease. */
const STOPS = [
  { lasts: MINUTE / 2, isFreed: false },
  { lasts: MINUTE, isFreed: true },
  { lasts: 2 * MINUTE, isFreed: false },
];
const POLLING = { timeout: 5 * MINUTE, interval: 20 };

const proof = sendProof(500, IS_WANTED);

/** Stops the sender between two prices, and resumes it later. @returns whether another one sent in between */
async function stopAndWake(
  programOf: (sender: string | null) => ChildProcess,
  { lasts, isFreed }: (typeof STOPS)[number],
): Promise<boolean> {
  const before = proof.log.received();
  await expect.poll(() => proof.log.received() > before, POLLING).toBe(true);
  await pause(Math.random() * 1_500);
  const sender = await proof.sender();
  const program = programOf(sender);
  program.kill('SIGSTOP');
  const wakeAt = Date.now() + lasts;
  // Calls that were in flight are received.
  await pause(1_000);
  const asleep = proof.log.received();
  if (isFreed) await proof.freeLeases();
  while (Date.now() < wakeAt) {
    await pause(250);
    proof.log.received();
  }
  const sentByOther = proof.log.received() - asleep;
  const states = JSON.stringify(await proof.states());
  console.log(
    `${asleep - before} prices received, ${sentByOther} while it slept ${lasts / 1_000} s, intents ${states}`,
  );
  const isTakenOver = (await proof.sender()) !== sender;
  program.kill('SIGCONT');
  return isTakenOver && sentByOther > 0;
}

test.runIf(IS_WANTED)(
  'of two programs one is stopped while it sends, and resumed: every price is received once',
  { timeout: 40 * MINUTE },
  async () => {
    await proof.moveCompetitors();
    const first = proof.start('work');
    await expect.poll(proof.sender, POLLING).toBeTypeOf('string');
    const firstSender = await proof.sender();
    const second = proof.start('work');
    const programs = [first, second, proof.start('serve')];
    const takenOver: boolean[] = [];
    for (const stop of STOPS) {
      takenOver.push(await stopAndWake((sender) => (sender === firstSender ? first : second), stop));
      await proof.finish();
      await proof.moveCompetitors();
    }
    await proof.finish();
    // Its lease lasts for half a minute to a minute more: the first sleep is mostly over by then.
    expect(takenOver).toEqual([expect.any(Boolean), true, true]);
    expect(programs.map(({ exitCode }) => exitCode)).toEqual([null, null, null]);
    expect((await proof.db.execute(BROKEN_LEDGERS)).rows).toEqual([]);
    await proof.log.expectSentWell();
    console.log(`${proof.log.received()} prices received, intents ${JSON.stringify(await proof.states())}`);
  },
);
