import type { Dispatcher } from 'undici';
import { ConnectorError } from '#connectors/connector-error.ts';

/**
 * The whole body, as long as it is within the limit.
 * @param limit bytes
 * @throws ConnectorError of fault "too_large"
 */
export async function readBody(
  name: string,
  { body }: Pick<Dispatcher.ResponseData, 'body'>,
  limit: number,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    size += piece.length;
    // Leaving the loop closes the connection: the rest is not read.
    if (size > limit) {
      throw new ConnectorError('too_large', `The response from ${name} is too large.`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
