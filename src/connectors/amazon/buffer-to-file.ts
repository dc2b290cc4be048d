import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConnectorError } from '#connectors/connector-error.ts';

const MAX_BYTES = 2 * 1_024 * 1_024 * 1_024;

/**
 * The same chunks, buffered in a temporary file, because Amazon does not keep a download open while thousands of
 * rows are processed. The file is deleted at the end.
 * @param scratch the folder for it; the system's by default
 */
export async function* bufferToFile(
  pieces: AsyncIterable<Buffer>,
  scratch: string = tmpdir(),
): AsyncGenerator<Buffer> {
  const folder = await mkdtemp(join(scratch, 'pricewright-report-'));
  try {
    const file = await open(join(folder, 'report'), 'wx+', 0o600);
    try {
      let size = 0;
      for await (const piece of pieces) {
        size += piece.length;
        if (size > MAX_BYTES) {
          throw new ConnectorError('too_large', 'A report of Amazon is larger than can be read.');
        }
        await file.writeFile(piece);
      }
      yield* file.createReadStream({ start: 0, autoClose: false }) as AsyncIterable<Buffer>;
    } finally {
      await file.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
