import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyHttpOptions, FastifyReply, FastifyRequest, RawServerDefault } from 'fastify';
import type { ErrorBody } from '#contract/errors.ts';
import { sendError } from './error-replies.ts';
import type { SecurityHeaders } from './security-headers.ts';

type Handlers = Required<
  Pick<FastifyHttpOptions<RawServerDefault>, 'frameworkErrors' | 'clientErrorHandler'>
>;

/**
 * Responds to what never becomes a request of any route: invalid addresses and bytes that are not HTTP. No hook
 * sees these.
 */
export function answerUnreadableRequests(headers: SecurityHeaders): Handlers {
  return {
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...headers, 'x-request-id': request.id, 'cache-control': 'no-store' });
      sendError(error, request as unknown as FastifyRequest, reply as unknown as FastifyReply);
    },
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
      else endWithAnswer(socket, error.code, headers);
    },
  };
}

function endWithAnswer(socket: Socket, code: string, headers: SecurityHeaders): void {
  const [status, message] =
    code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? ['408 Request Timeout', 'The request took too long to arrive.']
      : code === 'HPE_HEADER_OVERFLOW'
        ? ['431 Request Header Fields Too Large', 'The headers are too long.']
        : ['400 Bad Request', 'This is not a request that can be read.'];
  const body = JSON.stringify({ message, code: 'bad_request', requestId: randomUUID() } satisfies ErrorBody);
  const lines = [
    `HTTP/1.1 ${status}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
