import type pg from 'pg';

/** The parts of pg's connection that COPY needs, which its types leave out. */
type CopyConnection = pg.Connection & {
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
};

/**
 * Rows by `COPY ... TO STDOUT`, in parts of a given size, which may end anywhere. The server waits while the caller works
 * on a part. A caller that stops early loses the connection, since the rest could take long.
 * @param partBytes size of every part but the last
 */
export async function* copyOut(
  client: pg.Client,
  statement: string,
  partBytes: number,
): AsyncGenerator<Buffer, void> {
  const copying = new CopyingOut(statement, partBytes);
  client.query(copying);
  let isRead = false;
  try {
    for (let part = await copying.next(); part !== null; part = await copying.next()) yield part;
    isRead = true;
  } finally {
    if (!isRead) copying.breakOff();
  }
}

/** A query of pg: the client calls these methods as the server answers. */
class CopyingOut implements pg.Submittable {
  readonly #statement: string;
  readonly #partBytes: number;
  readonly #ready: Buffer[] = [];
  #connection: pg.Connection | null = null;
  #part: Buffer;
  #length = 0;
  #end: { readonly error: Error | null } | null = null;
  #wake: () => void = () => undefined;

  constructor(statement: string, partBytes: number) {
    this.#statement = statement;
    this.#partBytes = partBytes;
    this.#part = Buffer.allocUnsafeSlow(partBytes);
  }

  /** The next part; null after the last. */
  async next(): Promise<Buffer | null> {
    for (;;) {
      const part = this.#ready.shift();
      if (part !== undefined) return part;
      if (this.#end !== null) {
        if (this.#end.error !== null) throw this.#end.error;
        return null;
      }
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#connection?.stream.resume();
      await woken;
    }
  }

  breakOff(): void {
    if (this.#end === null) this.#connection?.stream.destroy();
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection;
    connection.query(this.#statement);
  }

  /** The bytes are overwritten after this call. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.copy(this.#part, this.#length, at);
      this.#length += copied;
      at += copied;
      if (this.#length === this.#partBytes) this.#finishPart();
    }
  }

  handleCommandComplete(): void {
    if (this.#length > 0) this.#finishPart();
  }

  handleReadyForQuery(): void {
    this.#finish(null);
  }

  handleError(error: Error): void {
    this.#finish(error);
  }

  #finishPart(): void {
    this.#ready.push(this.#part.subarray(0, this.#length));
    this.#part = Buffer.allocUnsafeSlow(this.#partBytes);
    this.#length = 0;
    // What has already been received still arrives: at most one piece of the socket.
    this.#connection?.stream.pause();
    this.#wake();
  }

  #finish(error: Error | null): void {
    this.#end ??= { error };
    this.#connection?.stream.resume();
    this.#wake();
  }
}

/**
 * Writes rows by `COPY ... FROM STDIN`.
 * @param parts pieces of the rows, which may end anywhere
 * @throws what reading `parts` throws, or the server's error
 */
export async function copyIn(
  client: pg.Client,
  statement: string,
  parts: AsyncIterable<Uint8Array>,
): Promise<void> {
  const copying = new CopyingIn(statement);
  client.query(copying);
  const connection = await copying.begun;
  if (connection === null) return copying.over;
  let failure: { readonly error: unknown } | null = null;
  try {
    for await (const part of parts) {
      if (copying.isOver) break;
      connection.sendCopyFromChunk(part);
      if (connection.stream.writableNeedDrain) await Promise.race([drained(connection), copying.ended]);
    }
  } catch (error) {
    failure = { error };
  }
  if (!copying.isOver) {
    if (failure === null) connection.endCopyFrom();
    else connection.sendCopyFail('the rows could not be read');
  }
  await copying.over.catch((error: unknown) => {
    throw failure === null ? error : failure.error;
  });
}

function drained({ stream }: pg.Connection): Promise<void> {
  return new Promise((resolve) => {
    stream.once('drain', resolve);
  });
}

class CopyingIn implements pg.Submittable {
  /** Resolves with the connection once the server waits for rows; with null when it never will. */
  readonly begun: Promise<CopyConnection | null>;
  /** Resolves or rejects when the server has ended the statement. */
  readonly over: Promise<void>;
  /** Resolves at the same time, whatever the outcome. */
  readonly ended: Promise<void>;
  isOver = false;
  readonly #statement: string;
  #begin: (connection: CopyConnection | null) => void = () => undefined;
  #succeed: () => void = () => undefined;
  #fail: (error: Error) => void = () => undefined;

  constructor(statement: string) {
    this.#statement = statement;
    this.begun = new Promise((resolve) => {
      this.#begin = resolve;
    });
    this.over = new Promise((resolve, reject) => {
      this.#succeed = resolve;
      this.#fail = reject;
    });
    this.ended = this.over.catch(() => undefined);
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#statement);
  }

  handleCopyInResponse(connection: pg.Connection): void {
    this.#begin(connection as CopyConnection);
  }

  handleCommandComplete(): void {
    // The end is that the server is ready again.
  }

  handleReadyForQuery(): void {
    this.isOver = true;
    this.#begin(null);
    this.#succeed();
  }

  handleError(error: Error): void {
    this.isOver = true;
    this.#begin(null);
    this.#fail(error);
  }
}
