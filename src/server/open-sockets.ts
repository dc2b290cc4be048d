import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { networkOf } from '#usecases/identity/accounts/attempt-limits.ts';

/** Milliseconds between two checks of connections without a request, while the server ends. */
const IDLE_CHECK_INTERVAL = 40;
const MAX_IDLE_CHECKS = 5;
/** The system queues 511 that wait to be accepted; on a busy server others follow. */
const LONGEST_QUEUE = 1_000;

interface Connection {
  /** Requests without a complete response. */
  underWay: number;
  /**
   * The address it is counted for while it has no session; null where a proxy has not sent the forwarded address
   * yet.
   */
  stranger: string | null;
  /** The logged-in user whose request was the last one. */
  user: string | null;
  /** Whether the request under way was found to be of `user`. */
  isConfirmed: boolean;
  /** Null for a trusted proxy, whose clients have addresses of their own. */
  readonly address: string | null;
}

/** Limits for the number of connections. */
export interface ConnectionRoom {
  /** In total. */
  readonly connections: number;
  /** Of one address without a session. */
  readonly strangers: number;
  /** Of one logged-in user that are never closed to make room. */
  readonly perUser: number;
}

/**
 * The open connections of a server. There is always room for one more: the oldest one without a session is closed
 * for it, so that incomplete requests lock no user out. The server ends without cutting off a response.
 */
export class Connections {
  readonly #server: Server;
  readonly #room: ConnectionRoom;
  readonly #isProxy: (address: string) => boolean;
  /** The oldest first. */
  readonly #open = new Map<Socket, Connection>();
  /** Connections by address without a session. */
  readonly #strangers = new Map<string, number>();
  /** Connections of logged-in users; the oldest first. */
  readonly #users = new Map<string, Set<Connection>>();
  #isEnding = false;
  #taken = 0;
  #onEmpty = (): void => undefined;

  /** @param isProxy whether an address is a trusted proxy that forwards client addresses */
  constructor(server: Server, room: ConnectionRoom, isProxy: (address: string) => boolean) {
    this.#server = server;
    this.#room = room;
    this.#isProxy = isProxy;
    server.on('connection', (socket) => this.#take(socket));
    // Before the listeners that respond.
    server.prependListener('request', ({ socket }, response) => {
      const connection = this.#open.get(socket);
      if (connection === undefined) return;
      connection.underWay += 1;
      connection.isConfirmed = false;
      response.once('close', () => {
        connection.underWay -= 1;
        // The next request of a proxy may come from another client; a session may have ended.
        if (this.#open.has(socket) && (connection.address === null || !connection.isConfirmed)) {
          this.#leave(connection);
          this.#count(connection, connection.address);
        }
        if (this.#isEnding && connection.underWay === 0) socket.destroySoon();
      });
    });
  }

  /**
   * A request arrives on this connection, with or without a session; behind a proxy its client is only known now.
   * @returns false when it is no connection of this server, as in tests without a network
   */
  asks(socket: Socket, address: string): boolean {
    const connection = this.#open.get(socket);
    if (connection?.address === null) {
      this.#count(connection, address);
      this.#limit(address);
    }
    return connection !== undefined;
  }

  /**
   * The request on this connection has a session: the connection is not closed to make room, until a request without
   * one. Of a user with too many, the oldest one can be closed: one account must not take the room of all others.
   * @param user the ID of the logged-in user
   */
  usedBy(socket: Socket, user: string): void {
    const connection = this.#open.get(socket);
    if (connection === undefined) return;
    connection.isConfirmed = true;
    if (connection.user === user) return;
    this.#leave(connection);
    this.#count(connection, null);
    connection.user = user;
    const own = this.#users.get(user) ?? new Set();
    this.#users.set(user, own.add(connection));
    const [oldest] = own;
    if (oldest === undefined || own.size <= this.#room.perUser) return;
    this.#leave(oldest);
    this.#count(oldest, oldest.address);
  }

  /** The connection is no longer one of a user. */
  #leave(connection: Connection): void {
    const { user } = connection;
    if (user === null) return;
    connection.user = null;
    const own = this.#users.get(user);
    own?.delete(connection);
    if (own?.size === 0) this.#users.delete(user);
  }

  get isEnding(): boolean {
    return this.#isEnding;
  }

  /**
   * Accepts no further connections, completes open requests, and ends. A connection without a request may have one that
   * is not read yet: it is ended only after several checks.
   * @param limit milliseconds; connections with an open request are cut off after that
   * @returns how many were cut off
   */
  async end(limit: number): Promise<number> {
    this.#isEnding = true;
    const isEmpty = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
    await this.#letIn();
    // Not the method of node:http, which would cut off requests that are not read yet.
    NetServer.prototype.close.call(this.#server);
    for (let look = 0; look < MAX_IDLE_CHECKS && this.#open.size > 0; look += 1)
      await pause(IDLE_CHECK_INTERVAL);
    for (const [socket, { underWay }] of this.#open) if (underWay === 0) socket.destroySoon();
    const late = new AbortController();
    const isLate = pause(limit, undefined, { signal: late.signal }).catch(() => undefined);
    if (this.#open.size > 0) await Promise.race([isEmpty, isLate]);
    late.abort();
    const left = this.#open.size;
    for (const socket of this.#open.keys()) socket.destroy();
    return left;
  }

  /**
   * Accepts connections that are queued by the system: closing the listening socket would reset them. One is
   * accepted per turn.
   */
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
      user: null,
      isConfirmed: false,
      address: this.#isProxy(address) ? null : address,
    };
    this.#open.set(socket, connection);
    socket.once('close', () => {
      this.#count(connection, null);
      this.#leave(connection);
      this.#open.delete(socket);
      if (this.#open.size === 0) this.#onEmpty();
    });
    if (connection.address !== null) {
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

  /** Ends the oldest connection without a session: the newest of all, when all others have one. */
  #endOldest(matches: (connection: Connection) => boolean): void {
    for (const [socket, connection] of this.#open) {
      if (connection.user !== null || socket.destroyed || !matches(connection)) continue;
      socket.destroy();
      return;
    }
  }

  /** Counts a connection for one address, and for no other one. */
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
