import type { AuditEntry } from '#db/queries/identity/audit.ts';
import type { Instant } from '#domain/units.ts';

/** Who changes something through a screen or a call, for the audit log. */
export interface Editor {
  readonly id: string;
  /** The name at this time, readable after the user was removed. */
  readonly name: string;
  readonly address: string;
  readonly requestId: string;
}

/** The who and when columns of an audit row. */
export function madeBy(
  { id, name, address, requestId }: Editor,
  at: Instant,
): Pick<AuditEntry, 'at' | 'actorId' | 'actor' | 'address' | 'requestId'> {
  return { at, actorId: id, actor: name, address, requestId };
}

/** A user, or the program itself, which screens show by a name, and what the audit log needs besides. */
export interface Actor {
  readonly id: string | null;
  readonly name: string;
  /** The name in the audit log; undefined where `name` is it. */
  readonly username?: string;
  /** Undefined for what comes from no request. */
  readonly address?: string;
  readonly requestId?: string;
}

/** {@link madeBy} for an actor. */
export function actedBy(
  { id, name, username = name, address, requestId }: Actor,
  at: Instant,
): ReturnType<typeof madeBy> {
  return { at, actorId: id, actor: username, address: address ?? null, requestId: requestId ?? null };
}

/** What a job stores of its actor besides id and name: it writes rows long after the response to the request. */
export function originOf({ username, address, requestId }: Actor): Record<string, string> {
  return {
    ...(username !== undefined && { username }),
    ...(address !== undefined && { address }),
    ...(requestId !== undefined && { requestId }),
  };
}

/** Reads what {@link originOf} made; jobs of an older release have less. */
export function readOrigin(work: Readonly<Record<string, unknown>>): Omit<Actor, 'id' | 'name'> {
  const { username, address, requestId } = work;
  return {
    ...(typeof username === 'string' && { username }),
    ...(typeof address === 'string' && { address }),
    ...(typeof requestId === 'string' && { requestId }),
  };
}
