import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorFormat } from '#sandbox/adapters/adapter.ts';
import type { Fault, FaultKind, FaultRegistry } from './fault.ts';
import { changedBody } from './wrong-values.ts';

const HUGE_MEGABYTES = 50;
const MEGABYTE = 1_048_576;

/** Faults that replace the response. */
const REPLACED: ReadonlySet<FaultKind> = new Set([
  ...(['too_busy', 'server_error', 'bad_gateway', 'redirect', 'errors_in_200', 'refused'] as const),
]);

/**
 * Applies a fault before the call is carried out.
 * @returns false if the call must not be carried out: it has a response already, or never gets one
 */
export async function beforeResponse(
  fault: Fault,
  { raw }: FastifyRequest,
  reply: FastifyReply,
  errorFormat: ErrorFormat,
  faults: FaultRegistry,
): Promise<boolean> {
  if (fault.kind === 'reset') {
    reply.hijack();
    raw.socket.resetAndDestroy();
    return false;
  }
  if (fault.kind === 'timeout') {
    await faults.hold();
    if (!raw.socket.destroyed) return true;
    reply.hijack();
    return false;
  }
  if (!REPLACED.has(fault.kind) || fault.acts) return true;
  await reply.send(replace(fault, reply, errorFormat));
  return false;
}

/** Applies a fault after the call was carried out. @returns the body to send */
export async function afterResponse(
  fault: Fault,
  reply: FastifyReply,
  errorFormat: ErrorFormat,
  faults: FaultRegistry,
  body: string | Buffer,
): Promise<string | Buffer | Readable> {
  if (REPLACED.has(fault.kind)) return fault.acts ? replace(fault, reply, errorFormat) : body;
  switch (fault.kind) {
    case 'answer_lost':
      reply.raw.socket?.destroy();
      return '';
    case 'late_answer':
      await faults.hold();
      return body;
    case 'empty':
      return resized(reply, '');
    case 'garbage':
      return resized(reply, '{"this is": [not, JSON \u0000\ufffd');
    case 'huge_body':
      return streamed(reply, huge(body));
    case 'half_open':
      return streamed(reply, halfOpen(body, faults));
    case 'truncated':
      return truncated(reply, body);
    case 'one_byte_a_second':
      return streamed(reply, drip(body, reply));
    case 'skewed_clock':
      reply.header('date', new Date(Date.parse('2001-01-01T00:00:00Z')).toUTCString());
      return resized(reply, changedBody(fault.kind, body.toString()));
    default:
      return typeof body === 'string' ? resized(reply, changedBody(fault.kind, body)) : body;
  }
}

function replace(fault: Fault, reply: FastifyReply, errorFormat: ErrorFormat): string {
  if (fault.kind === 'bad_gateway') {
    reply.code(502).header('content-type', 'text/html');
    return resized(reply, '<html><head><title>502 Bad Gateway</title></head><body>Bad Gateway</body></html>');
  }
  if (fault.kind === 'redirect') {
    reply.code(302).header('location', 'http://127.0.0.1:9/elsewhere');
    return resized(reply, '');
  }
  if (fault.kind === 'errors_in_200') {
    reply.code(200).header('content-type', 'application/json');
    return resized(
      reply,
      JSON.stringify(errorFormat.failedInside(reply.request.routeOptions.config.operation ?? null)),
    );
  }
  const status = fault.kind === 'too_busy' ? 429 : fault.kind === 'refused' ? (fault.status ?? 503) : 500;
  const usual = errorFormat.refusal(status);
  const body = fault.body ?? usual.body;
  reply.code(status).headers({ ...usual.headers, ...fault.headers });
  reply.header('content-type', 'application/json');
  if (fault.retryAfter !== undefined) reply.header('retry-after', fault.retryAfter);
  return resized(reply, typeof body === 'string' ? body : JSON.stringify(body));
}

function resized(reply: FastifyReply, body: string): string {
  reply.removeHeader('content-length');
  return body;
}

function streamed(reply: FastifyReply, pieces: AsyncIterable<string | Buffer>): Readable {
  reply.removeHeader('content-length');
  return Readable.from(pieces, { objectMode: false });
}

/** 50 MB of blanks and then the right response, which a client without a size limit would accept. */
async function* huge(body: string | Buffer): AsyncGenerator<string | Buffer> {
  const blanks = Buffer.alloc(MEGABYTE, ' ');
  for (let at = 0; at < HUGE_MEGABYTES; at++) yield blanks;
  yield body;
}

async function* halfOpen(body: string | Buffer, faults: FaultRegistry): AsyncGenerator<string | Buffer> {
  yield body.slice(0, Math.max(1, Math.floor(body.length / 2)));
  await faults.hold();
}

async function* drip(body: string | Buffer, reply: FastifyReply): AsyncGenerator<Buffer> {
  for (const byte of Buffer.from(body)) {
    if (reply.raw.destroyed) return;
    yield Buffer.from([byte]);
    await pause(1_000, undefined, { ref: false });
  }
}

/** Sends half of the declared length, then closes the connection. */
function truncated(reply: FastifyReply, body: string | Buffer): Readable {
  const whole = Buffer.from(body);
  reply.header('content-length', whole.length);
  const half = async function* (): AsyncGenerator<Buffer> {
    yield whole.subarray(0, Math.floor(whole.length / 2));
    await pause(20);
    reply.raw.socket?.destroy();
  };
  return Readable.from(half(), { objectMode: false });
}
