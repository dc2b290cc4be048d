import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import { LiveEvent } from '#contract/events.ts';

/** One open browser. `isAlive` checks whether the session of the stream may still receive events. */
type Stream = {
  readonly reply: FastifyReply;
  readonly sessionId: string;
  readonly isAlive: () => Promise<boolean>;
};

/** The open Server-Sent Event streams of this process. */
export type LiveStreams = {
  open(stream: Stream): void;
  /** Sends an event to every stream. Values that are not a LiveEvent are a bug of the sender and throw. */
  publish(event: LiveEvent): void;
  /** Ends the streams of a session immediately. */
  endSession(sessionId: string): void;
  /**
   * Ends the streams of a session that continues with another token. No event is sent: its browser reopens them
   * automatically, and no other client can.
   */
  reopenSession(sessionId: string): void;
  /** Keeps connections open and ends the streams whose session has ended. Call it every HEARTBEAT_INTERVAL. */
  beat(): Promise<void>;
  endAll(): void;
  readonly count: number;
};

/** Milliseconds. Proxies close connections that are silent for 30 to 60 seconds. */
export const HEARTBEAT_INTERVAL = 20_000;
const STREAMS_PER_SESSION = 6;
// A client this far behind is disconnected or stuck; it reconnects and resyncs.
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
      // Unknown counts as ended: the browser reconnects and authenticates again.
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
        // Otherwise nginx would buffer events.
        'x-accel-buffering': 'no',
      });
      streams.add(stream);
      raw.on('close', () => streams.delete(stream));
      const own = [...streams].filter(({ sessionId }) => sessionId === stream.sessionId);
      for (const surplus of own.slice(0, -STREAMS_PER_SESSION)) end(surplus);
      // Events from before the stream was open are not sent again.
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
