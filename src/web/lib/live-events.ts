import { LiveEvent } from '#contract/events.ts';
import { checkConnection } from './connection.ts';

const CHANNEL = 'pricewright-events';
/** Milliseconds before reopening a stream that the server closed; the browser restores a dropped connection itself. */
const REOPEN_AFTER = 30_000;

export interface LiveListener {
  onEvent: (event: LiveEvent) => void;
  /** The stream was rejected: the session may have ended. */
  onRefused: () => void;
}

/**
 * Listens to GET /api/events with one stream for all tabs: a browser opens only six connections to a host.
 * The tab that holds the lock owns the stream and passes each event on; when it closes, another tab acquires the lock.
 * @returns unsubscribes
 */
export function listenToLiveEvents(listener: LiveListener): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = (message) => deliver(message.data, listener);
  const passOn = (data: unknown): void => {
    channel.postMessage(data);
    deliver(data, listener);
  };
  const stop = new AbortController();
  stop.signal.addEventListener('abort', () => channel.close());
  void ownStream(stop.signal, (hasJustLoaded) =>
    keepOpen(stop.signal, { hasJustLoaded, passOn, onRefused: listener.onRefused }),
  );
  return () => stop.abort();
}

/**
 * Runs `own` while this tab holds the lock. Browsers offer locks only on https and loopback; else each tab streams.
 * A tab that gets the lock at once has just loaded; one that waited for it may have missed events.
 */
async function ownStream(signal: AbortSignal, own: (hasJustLoaded: boolean) => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return own(true);
  const gotIt = await navigator.locks.request(CHANNEL, { ifAvailable: true }, async (lock) => {
    if (lock !== null) await own(true);
    return lock !== null;
  });
  if (gotIt || signal.aborted) return;
  try {
    await navigator.locks.request(CHANNEL, { signal }, () => own(false));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

type Stream = { hasJustLoaded: boolean; passOn: (data: unknown) => void; onRefused: () => void };

function keepOpen(signal: AbortSignal, { hasJustLoaded, passOn, onRefused }: Stream): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    let source: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The server starts every stream with a resync; the data this page has just loaded is current.
    let isFirst = hasJustLoaded;
    const open = (): void => {
      source = new EventSource('/api/events', { withCredentials: true });
      source.onmessage = (message) => {
        const data = parse(message.data);
        if (!(isFirst && isResync(data))) passOn(data);
        isFirst = false;
      };
      source.onerror = () => {
        isFirst = false;
        void checkConnection();
        if (source.readyState !== EventSource.CLOSED) return;
        timer = setTimeout(open, REOPEN_AFTER);
        onRefused();
      };
    };
    open();
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      source.close();
      resolve();
    });
  });
}

function isResync(data: unknown): boolean {
  const event = LiveEvent.safeParse(data);
  return event.success && event.data.kind === 'resync';
}

// Unknown events are ignored: a newer server may send more.
function deliver(data: unknown, listener: LiveListener): void {
  const event = LiveEvent.safeParse(data);
  if (event.success) listener.onEvent(event.data);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
