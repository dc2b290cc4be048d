import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SchemaProblem, schemaChecks } from './schema-checks.ts';

/** Schemas of texts outside API responses: reports, feed results, queue messages. */
export type TextSchema =
  | 'amazon/schemas/listings-feed-processing-report-schema-v2.json'
  | 'amazon/schemas/AnyOfferChangedNotification.json'
  | 'amazon/schemas/sellerSalesAndTrafficReport.json';

/** @param folder of the official documents @returns the deviations of a JSON text from the schema */
export function textChecker(folder: string, file: TextSchema): (text: string) => SchemaProblem[] {
  const { $schema: _, $id: __, ...schema } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const { json } = schemaChecks(new Map([[file, schema]]));
  return (text) => json(`${file}#`, JSON.parse(text));
}
