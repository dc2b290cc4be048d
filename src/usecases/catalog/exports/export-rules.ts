import type { Db } from '#db/client.ts';
import { readRuleRecords } from '#db/queries/repricing/rules.ts';
import { ruleHeader, ruleLine } from '#files/rule-export.ts';

/**
 * Writes all rules, the oldest first, as a file that imports again unchanged and that the command line reads. Filters of
 * offers and other channels have no column: an import keeps them.
 * @param write resolves when it can receive the next chunk
 */
export async function exportRules(db: Db, write: (text: string) => Promise<void>): Promise<void> {
  const records = await readRuleRecords(db);
  await write(`${ruleHeader()}${records.map(({ rule }) => ruleLine(rule)).join('')}`);
}
