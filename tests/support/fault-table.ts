import { describe, expect, test } from 'vitest';
import type { ListingRef } from '#connectors/connector.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { entriesOf } from '#tests/support/all-of.ts';
import { IS_ALL } from './breadth.ts';
import { ACTIONS, type Action, type Cell } from './fault-actions.ts';
import { ACTED, gather, HANGING, KINDS, NEVER_OVER, never, PASSING, TRIES } from './fault-kinds.ts';
import { openFaultShop, refOf } from './fault-shop.ts';

/** What an action does when nothing goes wrong. */
interface CleanRun {
  readonly refs: readonly ListingRef[];
  readonly found: unknown;
  readonly operations: readonly string[];
  readonly calls: number;
  /** The call that brought a price; null where none was brought. */
  readonly receivedBy: string | null;
}

const WITH_TOKENS = new Set(['reading the catalog', 'sending one price']);
const CLEAN = new Map<string, Promise<CleanRun>>();

function cleanRun(marketplace: Marketplace, action: Action): Promise<CleanRun> {
  const key = `${marketplace} ${action.name}`;
  const run = CLEAN.get(key) ?? runClean(marketplace, action);
  CLEAN.set(key, run);
  return run;
}

async function runClean(marketplace: Marketplace, action: Action): Promise<CleanRun> {
  const refs = await refsOf(marketplace);
  const shop = await openFaultShop(marketplace, 30_000);
  try {
    const found = await action.run({ shop, refs, fault: null }, null);
    const receivedBy = shop.sandbox.world.receivedPrices().at(0)?.operation ?? null;
    const operations = shop.sandbox.exchanges.list().map(({ operation }) => operation ?? 'nothing');
    return { refs, found, operations: [...new Set(operations)], calls: shop.calls(), receivedBy };
  } finally {
    await shop.sandbox.close();
  }
}

async function refsOf(marketplace: Marketplace): Promise<ListingRef[]> {
  const { sandbox, connector, account } = await openFaultShop(marketplace, 30_000);
  try {
    const { pages } = await gather(() => entriesOf(connector.readListings(account, never)));
    return pages.flatMap((item, at) => (item.kind === 'listing' ? [refOf(item, at)] : []));
  } finally {
    await sandbox.close();
  }
}

async function runCell(
  marketplace: Marketplace,
  action: Action,
  { refs, found, calls }: CleanRun,
  fault: NonNullable<Cell['fault']>,
): Promise<void> {
  const { kind, operation, isOnce, acts } = fault;
  const shop = await openFaultShop(marketplace, HANGING.has(kind) ? 100 : 30_000);
  try {
    shop.sandbox.faults.add({ service: marketplace, kind, operation, acts, count: isOnce ? 1 : NEVER_OVER });
    const ended = await action.run({ shop, refs, fault }, found);
    if (isOnce && PASSING.has(kind) && action.name.startsWith('reading')) expect(ended).toBe('whole');
    expect(shop.calls()).toBeLessThanOrEqual(calls * TRIES);
  } finally {
    await shop.sandbox.close();
  }
}

async function runFor(
  marketplace: Marketplace,
  action: Action,
  clean: CleanRun,
  fault: Omit<NonNullable<Cell['fault']>, 'isOnce'>,
  at: number,
): Promise<void> {
  const both = [true, false];
  // By turns, so that each marketplace meets faults of either kind.
  const isOnceHere = (at + MARKETPLACES.indexOf(marketplace) + ACTIONS.indexOf(action)) % 2 === 0;
  for (const isOnce of IS_ALL ? both : [isOnceHere]) {
    await runCell(marketplace, action, clean, { ...fault, isOnce }).catch((error: unknown) => {
      const { kind, operation } = fault;
      throw new Error(`${kind} at ${operation}, ${isOnce ? 'once' : 'for good'}`, { cause: error });
    });
  }
}

/**
 * Every fault of the sandbox at every action: reads are complete or end with an error, and nothing of a bad response is
 * used; the reported result of a price agrees with what the marketplace received. With `--all`, at every call that the
 * action makes, once and for good; else at one of its calls, and either once or for good.
 */
export function faultTable(marketplaces: readonly Marketplace[]): void {
  describe.each(marketplaces)('%s', (marketplace) => {
    describe.each(ACTIONS)('$name', (action) => {
      test.concurrent.each(KINDS)('%s', async (kind) => {
        const clean = await cleanRun(marketplace, action);
        // Requesting a token fails in the same way for every action: tested with two of them.
        const calls = clean.operations.filter(
          (operation) => WITH_TOKENS.has(action.name) || !/token/i.test(operation),
        );
        const at = KINDS.indexOf(kind);
        for (const operation of IS_ALL ? calls : calls.slice(at % calls.length).slice(0, 1)) {
          await runFor(marketplace, action, clean, { kind, operation, acts: false }, at);
        }
      });
    });

    const sending = ACTIONS.filter(({ name }) => name === 'sending one price');
    describe.each(sending)('$name, which is taken all the same', (action) => {
      test.concurrent.each(ACTED)('%s', async (kind) => {
        const clean = await cleanRun(marketplace, action);
        const { receivedBy } = clean;
        if (receivedBy === null) throw new Error('No price was received without a fault.');
        await runFor(
          marketplace,
          action,
          clean,
          { kind, operation: receivedBy, acts: true },
          ACTED.indexOf(kind),
        );
      });
    });
  });
}
