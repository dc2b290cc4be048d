import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '#contract/errors.ts';
import { AppError } from '#usecases/app-error.ts';
import { notForTokens } from '#usecases/identity/tokens/require-scope.ts';
import { type DeclaredRoute, decoded, methodsFor } from './access.ts';
import { isOwnMessage, labelOf, toMessage, type ValidationProblem } from './validation-messages.ts';

/** RFC 6750, section 3: how programs learn why their token was refused. */
const CHALLENGES: Partial<Record<ErrorCode, string>> = {
  token_invalid: 'Bearer error="invalid_token"',
  token_expired: 'Bearer error="invalid_token"',
  scope_missing: 'Bearer error="insufficient_scope"',
};

const LARGEST_BODY = '1 MB';
/** This many errors are in the message; all of them are next to their fields. */
const MAX_SHOWN_ERRORS = 3;

const nothingHere = () => new AppError('not_found', 'There is nothing at this address.');

/** What the framework refuses, with our texts. */
const FRAMEWORK_REFUSALS: Readonly<Record<string, () => AppError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new AppError('payload_too_large', `The request is larger than ${LARGEST_BODY}.`),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new AppError('unsupported_media_type', 'Send the body as application/json.'),
  FST_ERR_BAD_URL: nothingHere,
  FST_ERR_MAX_PARAM_LENGTH: nothingHere,
};

/** PostgreSQL's own codes for "not now", and the driver's texts where it has no code. */
const DATABASE_AWAY =
  /^(08...|57P0[1-3]|53[0-3]00|25006|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT|EPIPE|ETIMEDOUT)$/;
const DATABASE_AWAY_TEXT =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered)/;

function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // Drizzle wraps the driver's error; the reason is in the cause.
  return DATABASE_AWAY.test(code) || DATABASE_AWAY_TEXT.test(error.message) || isDatabaseAway(error.cause);
}

/**
 * PostgreSQL's codes for conflicts with other transactions: serialization failure, deadlock, lock timeout,
 * statement timeout.
 */
const BUSY = /^(40001|40P01|55P03|57014)$/;

function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && BUSY.test(String(error.code))) || isBusy(error.cause);
}

/** The message for text that PostgreSQL cannot store. */
export const UNSTORABLE = 'The text contains a character that cannot be stored.';

/** PostgreSQL stores no NUL character, in text or in JSON: its error codes for one. */
function hasUnstorableText(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    ('code' in error && (error.code === '22021' || error.code === '22P05')) || hasUnstorableText(error.cause)
  );
}

function validationRefusal(problems: readonly ValidationProblem[]): AppError {
  const fields: Record<string, string> = Object.create(null);
  const reported: string[] = [];
  for (const problem of problems) {
    const path = problem.instancePath.replace(/^\//, '').replaceAll('/', '.');
    const message = toMessage(problem, path);
    if (path !== '' && fields[path] !== undefined) continue;
    if (path !== '') fields[path] = message;
    // Apart from its field, our own text must name the field.
    reported.push(
      problems.length > 1 && isOwnMessage(problem) && path !== '' ? `${labelOf(path)}: ${message}` : message,
    );
  }
  const named = reported.slice(0, MAX_SHOWN_ERRORS).join('; ');
  const message = reported.length > MAX_SHOWN_ERRORS ? `${named}...` : `${named}.`;
  return new AppError('validation_failed', message.replace(/(?<!\.)\.\.$/, '.'), { fields });
}

/** The refusal of an error; null when the error is internal and not the caller's. */
function refusalOf(error: FastifyError | Error): AppError | null {
  if (error instanceof AppError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) return validationRefusal(error.validation);
  if ('code' in error) {
    const refusal = FRAMEWORK_REFUSALS[error.code];
    if (refusal) return refusal();
  }
  if (
    'statusCode' in error &&
    error.statusCode !== undefined &&
    error.statusCode >= 400 &&
    error.statusCode < 500
  ) {
    return new AppError('bad_request', 'The request could not be read as JSON.');
  }
  if (isDatabaseAway(error)) {
    return new AppError('unavailable', 'The database does not answer. Try again in a moment.', {
      retryAfterSeconds: 5,
    });
  }
  if (isBusy(error)) {
    return new AppError(
      'unavailable',
      'Another change to the same data is in progress. Try again in a moment.',
      {
        retryAfterSeconds: 2,
      },
    );
  }
  if (hasUnstorableText(error)) {
    return new AppError('bad_request', UNSTORABLE);
  }
  return null;
}

/** Whether an error is internal: the caller only gets its ID. */
export function isUnexpected(error: Error): boolean {
  return (refusalOf(error)?.code ?? 'internal') === 'internal';
}

function bodyOf(refusal: AppError, requestId: string): ErrorBody {
  const { code, message, fields, reasons } = refusal;
  return {
    message,
    code,
    requestId,
    ...(fields && Object.keys(fields).length > 0 ? { fields: { ...fields } } : {}),
    ...(reasons === null ? {} : { reasons: [...reasons] }),
  };
}

/** To a program that a password is asked for would be no help: use cases do not know who calls. */
function refusalFor(error: Error, request: FastifyRequest): AppError | null {
  const refusal = refusalOf(error);
  return refusal?.code === 'step_up_required' && request.apiToken !== null ? notForTokens() : refusal;
}

/** Responds with the refusal of an error. Any other error is logged in full and only its ID is returned. */
export function sendError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal =
    refusalFor(error, request) ??
    new AppError(
      'internal',
      'The server failed to process this request. Try again. If it fails again, search the server log for the request ID.',
    );
  const status = ERROR_STATUS[refusal.code];
  if (status >= 500) request.log.error({ err: error }, 'request failed');
  const challenge = CHALLENGES[refusal.code];
  if (challenge !== undefined) reply.header('www-authenticate', challenge);
  if (refusal.retryAfterSeconds !== null) reply.header('retry-after', String(refusal.retryAfterSeconds));
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(bodyOf(refusal, request.id));
}

/** The path of a request without its query, in plain characters. */
export function pathOf(url: string): string {
  return decoded(url.split('?', 1)[0] ?? '');
}

/** Sets the only error handler; every error response has the form of `ErrorBody`. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => sendError(error, request, reply));
}

/** The response where no route matches: 405 with Allow when only the method is wrong, else 404. */
export function noRouteRefusal(
  routes: readonly DeclaredRoute[],
  request: FastifyRequest,
  reply: FastifyReply,
): AppError {
  const allowed = methodsFor(routes, request.url);
  if (allowed.length === 0) return nothingHere();
  reply.header('allow', allowed.join(', '));
  return new AppError('method_not_allowed', `This address does not support ${request.method}.`);
}
