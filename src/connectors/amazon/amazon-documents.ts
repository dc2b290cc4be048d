import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { AmazonCalls } from './amazon-calls.ts';

const LONGEST_LINE = 1_024 * 1_024;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The address of a document, from a report or feed. It is valid for five minutes. */
export const DocumentAnswer = z.object({
  url: z.url().max(20_000),
  compressionAlgorithm: z.literal('GZIP').nullish(),
});
export type DocumentAnswer = z.output<typeof DocumentAnswer>;

/**
 * Streams a document in chunks, decompressed.
 * @throws ConnectorError, also for one that is compressed differently than stated or ends too early
 */
export async function* readDocument(
  { documents }: AmazonCalls,
  { url, compressionAlgorithm }: DocumentAnswer,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const pieces = documents.read(url, signal);
  if (compressionAlgorithm == null) return yield* pieces;
  const gunzip = createGunzip();
  const fed = pipeline(Readable.from(pieces), gunzip).then(
    () => null,
    (error: unknown) => error,
  );
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } catch (error) {
    throw packedWrongly((await fed) ?? error);
  }
}

function packedWrongly(error: unknown): unknown {
  if (error instanceof ConnectorError) return error;
  return new ConnectorError('unreadable', 'A document of Amazon cannot be unpacked.');
}

/** @param limit bytes; more is a ConnectorError of fault "too_large" */
export async function textOf(pieces: AsyncIterable<Buffer>, limit: number): Promise<string> {
  const all: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > limit)
      throw new ConnectorError('too_large', 'A document of Amazon is larger than can be read.');
    all.push(piece);
  }
  return decoded(Buffer.concat(all));
}

/** The lines of a document of any size, without line ends, one at a time. */
export async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf(LINE_FEED); end !== -1; end = piece.indexOf(LINE_FEED, from)) {
      yield lineOf([...rest, piece.subarray(from, end)]);
      rest = [];
      size = 0;
      from = end + 1;
    }
    rest.push(piece.subarray(from));
    size += piece.length - from;
    if (size > LONGEST_LINE)
      throw new ConnectorError('too_large', 'A document of Amazon has a line without end.');
  }
  if (size > 0) yield lineOf(rest);
}

function lineOf(parts: Buffer[]): string {
  const line = Buffer.concat(parts);
  return decoded(line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line);
}

const strict = new TextDecoder('utf-8', { fatal: true });
const western = new TextDecoder('windows-1252');

/** Amazon's reports are in UTF-8 or in Windows-1252, and the document does not say which. */
function decoded(bytes: Buffer): string {
  try {
    return strict.decode(bytes);
  } catch {
    return western.decode(bytes);
  }
}
