import { type Database, openDatabase } from '#db/client.ts';
import { IS_ALL } from './breadth.ts';
import { type Fresh, readFresh, restore } from './fresh-rows.ts';
import { createTestDatabase, type TestDatabase, usedByOwner } from './test-database.ts';

/** A migrated, empty database with an open pool, which a later test of the same worker may use again. */
export interface RecycledDatabase {
  readonly open: Database;
  readonly url: string;
  readonly ownerUrl: string;
  /** Empties it for the next borrower; one whose tables were changed is deleted instead. */
  giveBack(): Promise<void>;
}

interface Shelved {
  readonly database: TestDatabase;
  readonly open: Database;
  /** Cleans up behind tests, which takes rights that the program does not have. */
  readonly owner: Database;
  readonly fresh: Fresh;
}

/** Of this worker, whichever file has made them; the server they are on goes with the run. */
const shelf: Shelved[] = [];

/** A database that an earlier test gave back, else a new one. Making one takes ten times as long. */
export async function borrowDatabase(): Promise<RecycledDatabase> {
  const borrowed = shelf.pop() ?? (await make());
  const { url, ownerUrl } = borrowed.database;
  return {
    open: borrowed.open,
    url,
    get ownerUrl() {
      usedByOwner.add(ownerUrl);
      return ownerUrl;
    },
    giveBack: async () => {
      const isSameShape = !usedByOwner.delete(ownerUrl) && !IS_ALL;
      if (await restore(borrowed.owner.pool, borrowed.fresh, isSameShape)) shelf.push(borrowed);
      else await discard(borrowed);
    },
  };
}

async function make(): Promise<Shelved> {
  const database = await createTestDatabase();
  const open = openDatabase(database.url);
  const owner = openDatabase(database.ownerUrl, 1);
  return { database, open, owner, fresh: await readFresh(owner.pool, IS_ALL) };
}

async function discard({ open, owner, database }: Shelved): Promise<void> {
  await open.close();
  await owner.close();
  await database.drop();
}
