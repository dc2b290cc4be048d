import { setImmediate as othersTurn } from 'node:timers/promises';
import { Unzip, UnzipInflate } from 'fflate';
import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { OwnPrice, type ReportedPrice } from '#connectors/dollars.ts';
import { isUnreadable } from '#connectors/passed-over.ts';
import { type CsvRecord, type CsvRow, CsvRows } from './csv-rows.ts';
import { jsonBody, NAME, type WalmartCalls } from './walmart-calls.ts';
import { ReportAddress, ReportRequest } from './walmart-responses.ts';

const BETWEEN_LOOKS = 60_000;
/** Reports take 15 to 45 minutes; after 90 the request has failed. */
const MAX_STATUS_CHECKS = 90;
/**
 * Bytes that are decompressed at once: they may become a hundred times as many, and block other work while they do.
 */
const SLICE = 8 * 1_024;
/** Largest decompressed size of a report. */
const MAX_BYTES = 2 * 1_024 * 1_024 * 1_024;

/**
 * Requests a report, waits for it and streams it row by row: a report of any size needs little memory.
 * @param columns lower case; without them it is not the requested report
 * @throws ConnectorError
 */
export async function* readReport(
  calls: WalmartCalls,
  account: Account,
  report: { readonly type: string; readonly version: string; readonly columns: readonly string[] },
  signal: AbortSignal,
): AsyncGenerator<readonly CsvRow[]> {
  const requestId = await requestReport(calls, account, report, signal);
  await untilReady(calls, account, requestId, signal);
  const query = new URLSearchParams({ requestId });
  const call = {
    method: 'GET',
    path: `/v3/reports/downloadReport?${query}`,
    operation: 'reportStatus',
  } as const;
  const { downloadURL } = await calls.read(account, call, ReportAddress, 'address of a report', signal);
  let isChecked = false;
  for await (const rows of unzippedRows(calls.documents.read(downloadURL, signal))) {
    const first: CsvRecord | undefined = isChecked
      ? undefined
      : rows.find((row): row is CsvRecord => !isUnreadable(row));
    const missing = report.columns.find((name) => first?.has(name) === false);
    if (missing !== undefined) {
      throw new ConnectorError(
        'unreadable',
        `${NAME} answered with a report without the column "${missing}".`,
      );
    }
    isChecked ||= first !== undefined;
    yield rows;
  }
}

/** A price of ours in a report; null for an empty cell. */
export function priceCell(text: string): ReportedPrice | 'unreadable' {
  const read = OwnPrice.safeParse(text);
  return read.success ? read.data : 'unreadable';
}

async function requestReport(
  calls: WalmartCalls,
  account: Account,
  { type, version }: { readonly type: string; readonly version: string },
  signal: AbortSignal,
): Promise<string> {
  const query = new URLSearchParams({ reportType: type, reportVersion: version });
  const path = `/v3/reports/reportRequests?${query}`;
  const call = { method: 'POST', path, operation: 'report', body: jsonBody('{}') } as const;
  return (await calls.read(account, call, ReportRequest, 'receipt of a report', signal)).requestId;
}

async function untilReady(
  calls: WalmartCalls,
  account: Account,
  requestId: string,
  signal: AbortSignal,
): Promise<void> {
  const path = `/v3/reports/reportRequests/${encodeURIComponent(requestId)}`;
  for (let look = 1; look <= MAX_STATUS_CHECKS; look++) {
    await calls.wait(BETWEEN_LOOKS, signal).catch(() => undefined);
    const call = { method: 'GET', path, operation: 'reportStatus' } as const;
    const { requestStatus } = await calls.read(account, call, ReportRequest, 'status of a report', signal);
    if (requestStatus === 'READY') return;
    if (requestStatus === 'ERROR') {
      throw new ConnectorError('service', `${NAME} could not make the report. Try again in an hour.`);
    }
  }
  throw new ConnectorError('time', `${NAME} did not finish the report in time. Try again later.`);
}

async function* unzippedRows(pieces: AsyncGenerator<Buffer>): AsyncGenerator<readonly CsvRow[]> {
  const csv = new CsvRows(NAME);
  let rows: CsvRow[] = [];
  let size = 0;
  const unpack = unpacker((bytes) => {
    size += bytes.length;
    if (size > MAX_BYTES)
      throw new ConnectorError('too_large', `${NAME} answered with a report that is too large.`);
    rows.push(...csv.take(bytes));
  });
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += SLICE) {
      unpack.push(piece.subarray(at, at + SLICE), false);
      if (rows.length > 0) yield rows;
      rows = [];
      await othersTurn();
    }
  }
  unpack.push(new Uint8Array(0), true);
  if (!unpack.isWhole()) throw brokenZip();
  rows.push(...csv.end());
  if (rows.length > 0) yield rows;
}

/** Streams the decompressed bytes of the only file in a zip. */
function unpacker(onBytes: (bytes: Uint8Array) => void) {
  let isWhole = false;
  const unzip = new Unzip((file) => {
    file.ondata = (error, bytes, isLast) => {
      if (error !== null) throw brokenZip();
      onBytes(bytes);
      isWhole = isLast;
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  return {
    isWhole: () => isWhole,
    push: (piece: Uint8Array, isLast: boolean): void => {
      try {
        unzip.push(piece, isLast);
      } catch (error) {
        throw error instanceof ConnectorError ? error : brokenZip();
      }
    },
  };
}

function brokenZip(): ConnectorError {
  return new ConnectorError('unreadable', `${NAME} answered with a report that is no whole zip file.`);
}
