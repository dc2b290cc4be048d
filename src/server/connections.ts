import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';

/** Milliseconds between two looks at connections on which nothing has been asked yet, while the server ends. */
const LOOK = 40;
const LOOKS = 5;
/** The system keeps 511 that wait to be taken; on a busy server others come after them. */
const LONGEST_QUEUE = 1_000;

interface Connection {
  /** Requests that are not answered to their end. */
  underWay: number;
}

/** The open connections of a server, so that it can end without cutting off an answer. */
export class Connections {
  readonly #server: Server;
  readonly #open = new Map<Socket, Connection>();
  #isEnding = false;
  #taken = 0;
  #onEmpty = (): void => undefined;

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => this.#take(socket));
    // Before whatever answers.
    server.prependListener('request', ({ socket }, response) => {
      const connection = this.#open.get(socket);
      if (connection === undefined) return;
      connection.underWay += 1;
      response.once('close', () => {
        connection.underWay -= 1;
        if (this.#isEnding && connection.underWay === 0) socket.destroySoon();
      });
    });
  }

  get isEnding(): boolean {
    return this.#isEnding;
  }

  /**
   * Takes no further connections, answers what was asked, and ends. Who is connected may have asked already without our
   * having read it: such a connection is ended only after some looks.
   * @param limit milliseconds; connections with a request that has no answer by then are cut off
   * @returns how many were cut off
   */
  async end(limit: number): Promise<number> {
    this.#isEnding = true;
    const isEmpty = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
    await this.#letIn();
    // Not the one of node:http, which would cut off what has not been read yet.
    NetServer.prototype.close.call(this.#server);
    for (let look = 0; look < LOOKS && this.#open.size > 0; look += 1) await pause(LOOK);
    for (const [socket, { underWay }] of this.#open) if (underWay === 0) socket.destroySoon();
    const late = new AbortController();
    const isLate = pause(limit, undefined, { signal: late.signal }).catch(() => undefined);
    if (this.#open.size > 0) await Promise.race([isEmpty, isLate]);
    late.abort();
    const left = this.#open.size;
    for (const socket of this.#open.keys()) socket.destroy();
    return left;
  }

  /** Takes those who are connected and wait to be taken: closing the door resets them. One is taken at each turn. */
  async #letIn(): Promise<void> {
    let quiet = 0;
    for (let turns = 0; turns < LONGEST_QUEUE && quiet < 3; turns += 1) {
      const before = this.#taken;
      await turn();
      quiet = this.#taken === before ? quiet + 1 : 0;
    }
  }

  #take(socket: Socket): void {
    this.#taken += 1;
    this.#open.set(socket, { underWay: 0 });
    socket.once('close', () => {
      this.#open.delete(socket);
      if (this.#open.size === 0) this.#onEmpty();
    });
  }
}
