import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ErrorCode } from '#contract/errors.ts';
import { type AuditEntry, insertAudit } from '#db/queries/identity/audit.ts';
import type { AuditAction } from '#domain/audit-actions.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { networkOf } from '#usecases/identity/accounts/attempt-limits.ts';
import type { AppDeps } from './app-deps.ts';
import { isUnexpected } from './error-replies.ts';
import { bearerOf, hasTwoHosts } from './request-guards.ts';

/** Rows of one action that one process writes per minute: a flood must not fill the disk. */
const MAX_ROWS_PER_MINUTE = 60;
const LONGEST_ORIGIN = 200;

/**
 * Writes denied requests that matter to security, and internal errors, into the audit log: one row per minute for
 * each caller and call. A denied request stays denied when the row cannot be written.
 */
export function auditDeniedRequests(app: FastifyInstance, { db, now }: Pick<AppDeps, 'db' | 'now'>): void {
  const take = createBudget();
  app.addHook('onError', async (request, _reply, error) => {
    const reported = toldOf(request, error);
    if (reported === null) return;
    const call = `${request.method} ${request.routeOptions.url ?? 'of an address that does not exist'}`;
    const user = request.session?.user ?? null;
    const who = user?.id ?? networkOf(request.ip);
    const omitted = take(reported.action, `${who} ${call}`, now());
    if (omitted === null) return;
    try {
      await insertAudit(db, {
        at: now(),
        actorId: user?.id ?? null,
        actor: user?.username ?? null,
        address: request.ip,
        requestId: request.id,
        token: request.apiToken?.name ?? null,
        action: reported.action,
        targetKind: 'call',
        targetId: call,
        after: omitted === 0 ? reported.after : { ...reported.after, leftOut: omitted },
      });
    } catch (failure) {
      request.log.warn({ err: failure }, 'denied request could not be written to the audit log');
    }
  });
}

/** Not `step_up_required`: it happens in normal use. */
const REFUSED_ACCESS: ReadonlySet<ErrorCode> = new Set([
  'not_allowed',
  'two_factor_missing',
  'token_expired',
  'scope_missing',
  'not_for_tokens',
]);

interface Told {
  readonly action: AuditAction;
  readonly after: NonNullable<AuditEntry['after']>;
}

/** The audit row of an error; null for everyday errors. Never has a stack, nor a text that is not ours. */
function toldOf(request: FastifyRequest, error: Error): Told | null {
  if (isUnexpected(error)) {
    const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
    return { action: 'error.unexpected', after: { error: error.name, ...code } };
  }
  if (!(error instanceof AppError)) return null;
  if (error.code === 'cross_site') {
    const origin = request.headers.origin?.slice(0, LONGEST_ORIGIN) ?? null;
    return { action: 'request.cross_site', after: { origin } };
  }
  if (hasTwoHosts(request)) return { action: 'request.two_hosts', after: {} };
  const { url, config } = request.routeOptions;
  // The other attempt limits write rows of their own.
  const isProgram = config.access === 'operator' || (request.session === null && bearerOf(request) !== null);
  const isWaiting = isProgram && error.code === 'too_many_requests';
  if (!isWaiting && !REFUSED_ACCESS.has(error.code)) return null;
  if (url === '/api/register') return { action: 'setup_link.refused', after: {} };
  // The login writes rows of its own.
  return config.access === 'public' ? null : { action: 'access.refused', after: { reason: error.message } };
}

/** @returns the number of rows of the action that were omitted after the last one; null to omit this one too */
type Budget = (action: AuditAction, key: string, now: Instant) => number | null;

function createBudget(): Budget {
  const kinds = new Map<AuditAction, { minute: number; keys: Set<string>; omitted: number }>();
  return (action, key, now) => {
    const minute = Math.floor(now / 60_000);
    const kind = kinds.get(action) ?? { minute, keys: new Set<string>(), omitted: 0 };
    kinds.set(action, kind);
    if (kind.minute !== minute) {
      kind.minute = minute;
      kind.keys.clear();
    }
    if (kind.keys.has(key) || kind.keys.size >= MAX_ROWS_PER_MINUTE) {
      kind.omitted += 1;
      return null;
    }
    kind.keys.add(key);
    const { omitted } = kind;
    kind.omitted = 0;
    return omitted;
  };
}
