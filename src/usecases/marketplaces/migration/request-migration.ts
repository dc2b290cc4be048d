import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import {
  readMigratableItems,
  writeMigrationRequests,
} from '#db/queries/marketplaces/sending/listing-migrations.ts';
import { transact } from '#db/transact.ts';
import { migrationProblemOf } from '#domain/connections/listing-migration.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import type { Connections } from '#usecases/marketplaces/connections/connections.ts';

/** The one marketplace with listings outside of the model that its API works with. */
const MARKETPLACE = 'ebay';

export interface RequestMigrationDeps {
  readonly db: Db;
  readonly now: () => Instant;
  readonly connections: Connections;
}

/**
 * Writes down that eBay listings are to be moved into its Inventory model, for good. The sender of eBay does it, five in
 * a call, once no price of theirs is on its way.
 * @param count how many listings the user was shown and confirmed
 * @throws AppError conflict while eBay is not connected, where the number is another one, and when one of them can no
 * longer be migrated: nothing is requested then
 */
export async function requestMigration(
  { db, now, connections }: RequestMigrationDeps,
  itemIds: readonly string[],
  count: number,
  editor: Editor,
): Promise<void> {
  const name = MARKETPLACE_NAMES[MARKETPLACE];
  const state = await connections.stateOf(MARKETPLACE);
  if (state.kind !== 'connected') {
    throw new AppError('conflict', `${name} is not connected, so nothing can be migrated there.`);
  }
  const { migration } = state.connection.connector;
  if (migration === undefined) throw new AppError('not_found', `${name} has nothing to migrate.`);
  const chosen = [...new Set(itemIds)];
  if (chosen.length !== count) {
    throw new AppError(
      'conflict',
      `You confirmed ${count} listings and chose ${chosen.length}. Choose again.`,
    );
  }
  await transact(db, async (tx) => {
    const at = now();
    const items = new Map(
      (await readMigratableItems(tx, MARKETPLACE, chosen)).map((item) => [item.itemId, item]),
    );
    for (const itemId of chosen) {
      const item = items.get(itemId);
      if (item === undefined || migrationProblemOf(itemId, item.skus) !== null) {
        throw new AppError(
          'conflict',
          `${name} listing ${itemId} cannot be migrated now. Load the list again.`,
        );
      }
    }
    const { generation } = state.connection;
    await writeMigrationRequests(
      tx,
      chosen.map((itemId) => ({
        marketplace: MARKETPLACE,
        itemId,
        generation,
        askedBy: editor.name,
        askedAt: at,
      })),
    );
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'migration.asked',
      targetKind: 'marketplaces',
      targetId: MARKETPLACE,
      after: { listings: chosen.length, itemIds: chosen.join(', ') },
    });
    await notify(tx, 'pricewright_engine', []);
  });
}
