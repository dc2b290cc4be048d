import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import { LiveEvent } from '#contract/events.ts';

/** One open browser. `isAlive` asks whether the session behind it may still listen. */
type Stream = {
  readonly reply: FastifyReply;
  readonly sessionId: string;
  readonly isAlive: () => Promise<boolean>;
};

/** The open Server-Sent Event streams of this process. */
export type LiveStreams = {
  open(stream: Stream): void;
  /** Tells every stream. Values that are not a LiveEvent are a bug of the sender and throw. */
  publish(event: LiveEvent): void;
  /** Ends the streams of a session at once. */
  endSession(sessionId: string): void;
  /**
   * Ends the streams of a session that goes on under another token. Nothing is said: its browser opens them again by
   * itself, and nobody else can.
   */
  reopenSession(sessionId: string): void;
  /** Keeps connections open and ends the streams whose session is over. Call it every HEARTBEAT_INTERVAL. */
  beat(): Promise<void>;
  endAll(): void;
  readonly count: number;
};

/** Milliseconds. Proxies close connections that are silent for 30 to 60 seconds. */
export const HEARTBEAT_INTERVAL = 20_000;
const STREAMS_PER_SESSION = 6;
// A reader this far behind is gone or stuck; it reconnects and resyncs.
const LARGEST_BACKLOG = 256 * 1_024;

export function createLiveStreams(log: FastifyBaseLogger): LiveStreams {
  const streams = new Set<Stream>();

  function write(stream: Stream, text: string): void {
    const { raw } = stream.reply;
    if (raw.writableLength > LARGEST_BACKLOG) raw.destroy();
    else raw.write(text);
  }
  const tell = (stream: Stream, event: LiveEvent) => write(stream, `data: ${JSON.stringify(event)}\n\n`);
  function end(stream: Stream, last?: LiveEvent): void {
    if (last) tell(stream, last);
    streams.delete(stream);
    stream.reply.raw.end();
  }
  function endWhere(matches: (stream: Stream) => boolean, last?: LiveEvent): void {
    for (const stream of [...streams].filter(matches)) end(stream, last);
  }
  async function beatOne(stream: Stream): Promise<void> {
    try {
      if (await stream.isAlive()) write(stream, ': beat\n\n');
      else end(stream, { kind: 'signedOut' });
    } catch (error) {
      // Unknown is not alive: the browser reconnects, and is asked who it is again.
      log.warn({ err: error }, 'live stream ended: its session could not be checked');
      end(stream);
    }
  }

  return {
    open: (stream) => {
      const { raw } = stream.reply;
      stream.reply.hijack();
      raw.writeHead(200, {
        ...(stream.reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        // nginx would collect events before passing them on.
        'x-accel-buffering': 'no',
      });
      streams.add(stream);
      raw.on('close', () => streams.delete(stream));
      const own = [...streams].filter(({ sessionId }) => sessionId === stream.sessionId);
      for (const surplus of own.slice(0, -STREAMS_PER_SESSION)) end(surplus);
      // Whatever happened before the stream was open is not told again.
      tell(stream, { kind: 'resync' });
    },
    publish: (event) => {
      const message = LiveEvent.parse(event);
      for (const stream of streams) tell(stream, message);
    },
    endSession: (sessionId) => endWhere((stream) => stream.sessionId === sessionId, { kind: 'signedOut' }),
    reopenSession: (sessionId) => endWhere((stream) => stream.sessionId === sessionId),
    beat: async () => {
      await Promise.all([...streams].map(beatOne));
    },
    endAll: () => endWhere(() => true),
    get count() {
      return streams.size;
    },
  };
}
