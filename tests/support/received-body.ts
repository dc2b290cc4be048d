import type { IncomingMessage } from 'node:http';

/** The body of a request to a service of a test; null when the client gave up before all of it arrived, as at a limit of time. */
export async function receivedBody(request: IncomingMessage): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of request) pieces.push(piece as Buffer);
  } catch (error) {
    if (request.complete) throw error;
    return null;
  }
  return Buffer.concat(pieces);
}
