import type { Db } from '#db/client.ts';
import { recordHiddenClients } from '#db/queries/marketplaces/settings.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';

/** Remembers that the proxy in front did not say who called: administrators are told for a day. */
export async function rememberHiddenClients(db: Db, at: Instant): Promise<void> {
  await transact(db, (tx) => recordHiddenClients(tx, at));
}
