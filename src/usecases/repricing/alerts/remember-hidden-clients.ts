import type { Db } from '#db/client.ts';
import { recordHiddenClients } from '#db/queries/marketplaces/connections/settings.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';

/** Records that the proxy did not forward a client address; administrators see an alert for 24 hours. */
export async function rememberHiddenClients(db: Db, at: Instant): Promise<void> {
  await transact(db, (tx) => recordHiddenClients(tx, at));
}
