import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { Documents } from '#connectors/http/documents.ts';
import type { UnreadableRow } from '#connectors/passed-over.ts';
import { NAME, type ShopifyCalls } from './shopify-calls.ts';
import { BULK_LOOK, BULK_START } from './shopify-queries.ts';
import { BulkLook, BulkStarted, type Variant, VariantRow } from './shopify-responses.ts';

const BETWEEN_LOOKS = 10_000;
/** One hour. */
const MAX_STATUS_CHECKS = 360;
const LONGEST_LINE = 1_000_000;
const UNDER_WAY = new Set(['CREATED', 'RUNNING']);

/** Documents of bulk operations are in cloud storage rented by Shopify. */
export function isBulkHost(host: string): boolean {
  return (
    host === 'storage.googleapis.com' ||
    ['.shopify.com', '.shopifycloud.com'].some((end) => host.endsWith(end))
  );
}

/** All variants in one operation: Shopify writes them into a document, one per line, which is streamed. */
export async function* bulkVariants(
  calls: ShopifyCalls,
  documents: Documents,
  account: Account,
  signal: AbortSignal,
): AsyncGenerator<readonly (Variant | UnreadableRow)[]> {
  const url = await finished(calls, account, await start(calls, account, signal), signal);
  // Without any results there is no document.
  if (url === null) return;
  for await (const lines of linesOf(documents.read(url, signal))) yield lines.flatMap(variantOf);
}

async function start(calls: ShopifyCalls, account: Account, signal: AbortSignal): Promise<string> {
  const call = { operation: 'bulk', query: BULK_START };
  const { data } = await calls.ask(account, call, BulkStarted, 'bulk operation', signal);
  const { bulkOperation, userErrors } = data.bulkOperationRunQuery;
  if (bulkOperation && userErrors.length === 0) return bulkOperation.id;
  const { message, code = null } = userErrors[0] ?? {};
  const said = `${NAME} says: ${message ?? 'nothing'}`;
  throw new ConnectorError('busy', `${NAME} cannot export the catalog at the moment.`, { code, said });
}

async function finished(
  calls: ShopifyCalls,
  account: Account,
  id: string,
  signal: AbortSignal,
): Promise<string | null> {
  for (let look = 1; look <= MAX_STATUS_CHECKS; look++) {
    await calls.wait(BETWEEN_LOOKS, signal).catch(() => undefined);
    const call = { operation: 'bulkLook', query: BULK_LOOK, variables: { id } };
    const { data } = await calls.ask(account, call, BulkLook, 'bulk operation', signal);
    const { status, errorCode = null, url } = data.bulkOperation;
    if (status === 'COMPLETED') return url ?? null;
    if (!UNDER_WAY.has(status)) {
      throw new ConnectorError('service', `${NAME} could not export the catalog (${status}).`, {
        code: errorCode,
      });
    }
  }
  throw new ConnectorError('time', `${NAME} did not finish exporting the catalog. Try again later.`);
}

async function* linesOf(pieces: AsyncGenerator<Buffer>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE)
      throw new ConnectorError('unreadable', `${NAME} wrote a line without an end.`);
    if (lines.length > 0) yield lines;
  }
  yield [rest + decoder.decode()];
}

function variantOf(line: string): (Variant | UnreadableRow)[] {
  // A line that is no JSON is that of a document that broke off.
  return line.trim() === '' ? [] : [VariantRow.parse(jsonOf(line))];
}

/** @throws ConnectorError */
function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new ConnectorError('unreadable', `${NAME} wrote a line that is not JSON.`);
  }
}
