import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { networkOf } from '#usecases/identity/accounts/attempt-limits.ts';

/** Milliseconds between two looks at connections on which nothing has been asked yet, while the server ends. */
const LOOK = 40;
const LOOKS = 5;
/** The system keeps 511 that wait to be taken; on a busy server others come after them. */
const LONGEST_QUEUE = 1_000;

interface Connection {
  /** Requests that are not answered to their end. */
  underWay: number;
  /** Whom it is counted for while nobody is signed in on it; null where a proxy has not said yet whom it asks for. */
  stranger: string | null;
  /** Whether somebody is signed in on it. */
  isKnown: boolean;
  readonly isProxy: boolean;
}

/** How many connections there may be. */
export interface ConnectionRoom {
  /** At all. */
  readonly connections: number;
  /** Of one address on which nobody is signed in. */
  readonly strangers: number;
}

/**
 * The open connections of a server. There is always room for one more: the oldest on which nobody is signed in makes it,
 * so that requests that are never sent to their end shut nobody out. And the server ends without cutting off an answer.
 */
export class Connections {
  readonly #server: Server;
  readonly #room: ConnectionRoom;
  readonly #isProxy: (address: string) => boolean;
  /** The oldest first. */
  readonly #open = new Map<Socket, Connection>();
  /** Connections of each stranger. */
  readonly #strangers = new Map<string, number>();
  #isEnding = false;
  #taken = 0;
  #onEmpty = (): void => undefined;

  /** @param isProxy whether the clients behind an address are told apart by what it says of them */
  constructor(server: Server, room: ConnectionRoom, isProxy: (address: string) => boolean) {
    this.#server = server;
    this.#room = room;
    this.#isProxy = isProxy;
    server.on('connection', (socket) => this.#take(socket));
    // Before whatever answers.
    server.prependListener('request', ({ socket }, response) => {
      const connection = this.#open.get(socket);
      if (connection === undefined) return;
      connection.underWay += 1;
      response.once('close', () => {
        connection.underWay -= 1;
        // The next request of a proxy may come from somebody else.
        if (connection.isProxy) {
          this.#count(connection, null);
          connection.isKnown = false;
        }
        if (this.#isEnding && connection.underWay === 0) socket.destroySoon();
      });
    });
  }

  /**
   * Somebody asks on this connection, signed in or not; of a proxy this is known only now.
   * @returns false when it is no connection of this server, as in tests without a network
   */
  asks(socket: Socket, address: string): boolean {
    const connection = this.#open.get(socket);
    if (connection?.isProxy === true) {
      this.#count(connection, address);
      this.#limit(address);
    }
    return connection !== undefined;
  }

  /** Whoever asks on this connection is signed in: it makes room for nobody. */
  know(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection === undefined) return;
    this.#count(connection, null);
    connection.isKnown = true;
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
    const address = socket.remoteAddress ?? '';
    const connection: Connection = {
      underWay: 0,
      stranger: null,
      isKnown: false,
      isProxy: this.#isProxy(address),
    };
    this.#open.set(socket, connection);
    socket.once('close', () => {
      this.#count(connection, null);
      this.#open.delete(socket);
      if (this.#open.size === 0) this.#onEmpty();
    });
    if (!connection.isProxy) {
      this.#count(connection, address);
      this.#limit(address);
    }
    if (this.#open.size > this.#room.connections) this.#endOldest(() => true);
  }

  #limit(address: string): void {
    const ofOne = networkOf(address);
    if ((this.#strangers.get(ofOne) ?? 0) <= this.#room.strangers) return;
    this.#endOldest(({ stranger }) => stranger === ofOne);
  }

  /** Ends the oldest connection of a stranger: the latest of all, when everybody else is signed in. */
  #endOldest(matches: (connection: Connection) => boolean): void {
    for (const [socket, connection] of this.#open) {
      if (connection.isKnown || socket.destroyed || !matches(connection)) continue;
      socket.destroy();
      return;
    }
  }

  /** Counts a connection for a stranger, and for nobody else any more. */
  #count(connection: Connection, address: string | null): void {
    const { stranger } = connection;
    if (stranger !== null) {
      const left = (this.#strangers.get(stranger) ?? 1) - 1;
      if (left === 0) this.#strangers.delete(stranger);
      else this.#strangers.set(stranger, left);
    }
    connection.stranger = address === null ? null : networkOf(address);
    if (connection.stranger !== null)
      this.#strangers.set(connection.stranger, (this.#strangers.get(connection.stranger) ?? 0) + 1);
  }
}
