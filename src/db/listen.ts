import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { connectionConfig, type Db } from './client.ts';

/** Kinds of changes. Each is a PostgreSQL channel, so its name is lower-case with underscores. */
export const CHANNELS = [
  'pricewright_listings',
  'pricewright_due',
  'pricewright_engine',
  'pricewright_jobs',
  'pricewright_users',
  'pricewright_alerts',
  'pricewright_webhooks',
] as const;
export type Channel = (typeof CHANNELS)[number];

/**
 * `changed`: these ids changed; an empty list means "many, query them yourself".
 * `resync`: the connection was lost and restored, and anything may have changed.
 */
export type Signal =
  | { readonly kind: 'changed'; readonly channel: Channel; readonly ids: readonly number[] }
  | { readonly kind: 'resync' };

/** PostgreSQL accepts up to 8,000 bytes a message. */
const MAX_MESSAGE_BYTES = 7_500;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;

/** Notifies every listening process, once the transaction commits. One call per batch, ids only. */
export async function notify(db: Db, channel: Channel, ids: readonly number[]): Promise<void> {
  const payload = ids.join(',');
  await db.execute(sql`SELECT pg_notify(${channel}, ${payload.length > MAX_MESSAGE_BYTES ? '' : payload})`);
}

/** A connection that listens until it is closed. */
export interface Listener {
  close(): Promise<void>;
}

function signalOf(message: pg.Notification): Signal | null {
  const channel = CHANNELS.find((name) => name === message.channel);
  if (!channel) return null;
  const ids = message.payload ? message.payload.split(',').map(Number) : [];
  return { kind: 'changed', channel, ids };
}

async function connect(
  url: string,
  onSignal: (signal: Signal) => void,
  onLost: () => void,
): Promise<pg.Client> {
  const client = new pg.Client(connectionConfig(url, 'pricewright-listen'));
  // One loss is reported as an error, as an end, or as both.
  let lost = false;
  const loseOnce = (): void => {
    if (!lost) onLost();
    lost = true;
  };
  await client.connect();
  client.on('error', loseOnce);
  client.on('end', loseOnce);
  client.on('notification', (message) => {
    const signal = signalOf(message);
    if (signal) onSignal(signal);
  });
  for (const channel of CHANNELS) await client.query(`LISTEN ${channel}`);
  return client;
}

/**
 * Listens until closed. The first connection must succeed; a lost one is restored automatically, with growing waits,
 * and reported as `resync`, since messages sent while it was lost are missing.
 */
export async function listen(url: string, onSignal: (signal: Signal) => void): Promise<Listener> {
  const closing = new AbortController();
  let current: pg.Client | null = null;
  let reconnecting: Promise<void> = Promise.resolve();

  const reconnect = async (): Promise<void> => {
    for (let wait = FIRST_RETRY_MS; !closing.signal.aborted; wait = Math.min(wait * 2, MAX_RETRY_MS)) {
      try {
        current = await connect(url, onSignal, onLost);
        return onSignal({ kind: 'resync' });
      } catch {
        // Not reported: the queries of the same process fail while the database is unreachable. Retried after a wait.
        await pause(wait, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  };
  const onLost = (): void => {
    current = null;
    if (!closing.signal.aborted) reconnecting = reconnect();
  };

  current = await connect(url, onSignal, onLost);
  return {
    close: async () => {
      closing.abort();
      await reconnecting;
      await current?.end();
    },
  };
}
