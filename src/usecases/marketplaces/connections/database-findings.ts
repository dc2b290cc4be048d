import type { AccountFindings } from '#connectors/connector.ts';
import type { Db } from '#db/client.ts';
import { readFinding, writeFinding } from '#db/queries/marketplaces/connections/account-findings.ts';
import { transact } from '#db/transact.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

/**
 * What trying out found about an account, in the database.
 * @param generation of the connection: what was found with another account does not count
 */
export function databaseFindings(
  { db, now }: { readonly db: Db; readonly now: () => Instant },
  marketplace: Marketplace,
  generation: number,
): AccountFindings {
  return {
    read: (name) => readFinding(db, { marketplace, generation, name }, now()),
    write: (name, value, until) =>
      transact(db, (tx) => writeFinding(tx, { marketplace, generation, name }, value, now(), until)),
  };
}
