import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ErrorCode } from '#contract/errors.ts';
import { type AuditEntry, insertAudit } from '#db/queries/identity/audit.ts';
import type { AuditAction } from '#domain/audit-actions.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { networkOf } from '#usecases/identity/accounts/attempt-limits.ts';
import type { AppDeps } from './app-deps.ts';
import { isUnexpected } from './error-replies.ts';
import { hasTwoHosts } from './request-guards.ts';

/** Rows of one action that one process writes within a minute: a flood must not fill the disk. */
const MOST_A_MINUTE = 60;
const LONGEST_ORIGIN = 200;

/**
 * Writes refusals that matter to security, and errors of ours, into the audit log: within a minute one row for each
 * caller and call. What is refused is refused all the same when the row cannot be written.
 */
export function auditDeniedRequests(app: FastifyInstance, { db, now }: Pick<AppDeps, 'db' | 'now'>): void {
  const take = createBudget();
  app.addHook('onError', async (request, _reply, error) => {
    const told = toldOf(request, error);
    if (told === null) return;
    const call = `${request.method} ${request.routeOptions.url ?? 'of an address that does not exist'}`;
    const user = request.session?.user ?? null;
    const who = user?.id ?? networkOf(request.ip);
    const leftOut = take(told.action, `${who} ${call}`, now());
    if (leftOut === null) return;
    try {
      await insertAudit(db, {
        at: now(),
        actorId: user?.id ?? null,
        actor: user?.username ?? null,
        address: request.ip,
        requestId: request.id,
        action: told.action,
        targetKind: 'call',
        targetId: call,
        after: leftOut === 0 ? told.after : { ...told.after, leftOut },
      });
    } catch (failure) {
      request.log.warn({ err: failure }, 'denied request could not be written to the audit log');
    }
  });
}

/** Not `step_up_required`: a page that asks for the password once more is everyday. */
const REFUSED_ACCESS: ReadonlySet<ErrorCode> = new Set(['not_allowed', 'two_factor_missing']);

interface Told {
  readonly action: AuditAction;
  readonly after: NonNullable<AuditEntry['after']>;
}

/** What the log says of an error; null for everyday refusals. Never a stack, nor a text that is not ours. */
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
  // The waits at the other doors have rows of their own.
  const isWaiting = config.access === 'operator' && error.code === 'too_many_requests';
  if (!isWaiting && !REFUSED_ACCESS.has(error.code)) return null;
  if (url === '/api/register') return { action: 'setup_link.refused', after: {} };
  // Signing in writes rows of its own.
  return config.access === 'public' ? null : { action: 'access.refused', after: { reason: error.message } };
}

/** @returns how many rows of the action were left out since the last one; null to leave this one out too */
type Budget = (action: AuditAction, key: string, now: Instant) => number | null;

function createBudget(): Budget {
  const kinds = new Map<AuditAction, { minute: number; keys: Set<string>; leftOut: number }>();
  return (action, key, now) => {
    const minute = Math.floor(now / 60_000);
    const kind = kinds.get(action) ?? { minute, keys: new Set<string>(), leftOut: 0 };
    kinds.set(action, kind);
    if (kind.minute !== minute) {
      kind.minute = minute;
      kind.keys.clear();
    }
    if (kind.keys.has(key) || kind.keys.size >= MOST_A_MINUTE) {
      kind.leftOut += 1;
      return null;
    }
    kind.keys.add(key);
    const { leftOut } = kind;
    kind.leftOut = 0;
    return leftOut;
  };
}
