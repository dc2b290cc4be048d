import { z } from 'zod';
import { ConnectorError } from '#connectors/connector-error.ts';
import { hours, type Instant, instant, minutes } from '#domain/units.ts';
import type { Inventory } from './etsy-responses.ts';
import { inventoryOf, type Sending } from './inventory-calls.ts';
import { groupsOf, priceOf } from './sku-groups.ts';
import { notifyOfStock, takeOutAfterAll } from './sold-stock.ts';

/*
 * A write of an inventory restores the stock that it had read, and what was sold since is taken out again afterwards. So
 * that this happens also where the process ends in between, each write is kept until its stock is right.
 */

/** Names the writes that are kept. */
const WRITES_FINDING = 'unfinished_writes';
/** For so long the process that wrote may be alive and finish it: it gives its calls up after 50 seconds. */
const MAY_BE_ALIVE = minutes(1);
/** What Etsy did not answer is requested again after this. */
const TRY_AGAIN = minutes(5);
/** What is not finished by then is left to the seller, who may have filled up the stock since. */
const GIVEN_UP_AFTER = hours(24);

const Moment = z.number().transform((at): Instant => instant(at));

const Write = z.object({
  /** Etsy's number. */
  listingId: z.int().positive(),
  /** Right before the inventory was requested. */
  readAt: Moment,
  /** Not finished by another process before. */
  nextAt: Moment,
  before: z.array(z.object({ key: z.string(), productId: z.int(), quantity: z.int().min(0) })),
  prices: z.array(z.object({ sku: z.string(), price: z.int() })),
});
/** A write of the inventory of one listing. */
export type UnfinishedWrite = z.output<typeof Write>;

/** Keeps a write before it is sent. */
export async function keepWrite(sending: Sending, write: Omit<UnfinishedWrite, 'nextAt'>): Promise<void> {
  await keep(sending, { ...write, nextAt: instant(write.readAt + MAY_BE_ALIVE) });
}

async function keep(sending: Sending, write: UnfinishedWrite): Promise<void> {
  const others = (await keptWrites(sending)).filter(({ listingId }) => listingId !== write.listingId);
  await sending.account.findings?.write(WRITES_FINDING, [...others, write], null);
}

/** The stock of a listing is right, or the seller was notified. */
export async function forgetWrite(sending: Sending, listingId: number): Promise<void> {
  const others = (await keptWrites(sending)).filter((write) => write.listingId !== listingId);
  await sending.account.findings?.write(WRITES_FINDING, others, null);
}

/** Listings with a write that is not finished: until it is, nothing else is written to them. */
export async function unfinishedListings(sending: Sending): Promise<ReadonlySet<number>> {
  return new Set((await keptWrites(sending)).map(({ listingId }) => listingId));
}

/** Puts the stock right after writes that were not finished, as of a process that was killed. */
export async function finishWrites(sending: Sending): Promise<void> {
  for (const write of await keptWrites(sending)) {
    const now = sending.calls.now();
    if (now < write.nextAt) continue;
    if (now - write.readAt >= GIVEN_UP_AFTER) {
      await notifyOfStock(sending, write.listingId);
      await forgetWrite(sending, write.listingId);
      continue;
    }
    try {
      const shown = await inventoryOf(sending, write.listingId);
      // Without the listing there is nothing for sale.
      if (shown !== null) await takeOutAfterAll(sending, write, shown, isShown(write, shown));
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      await keep(sending, { ...write, nextAt: instant(now + TRY_AGAIN) });
      continue;
    }
    await forgetWrite(sending, write.listingId);
  }
}

async function keptWrites({ account: { findings } }: Sending): Promise<readonly UnfinishedWrite[]> {
  const kept = z.array(z.unknown()).safeParse(await findings?.read(WRITES_FINDING));
  return (kept.data ?? []).flatMap((one) => Write.safeParse(one).data ?? []);
}

/** Whether Etsy shows one of the prices of a write: then it carried the write out. */
function isShown({ listingId, prices }: UnfinishedWrite, shown: Inventory): boolean {
  const groups = groupsOf(listingId, shown);
  return prices.some(({ sku, price }) => {
    const group = groups.find((one) => one.sku === sku);
    const reported = group === undefined ? null : priceOf(group);
    return reported?.currency === 'USD' && reported.amount === price;
  });
}
