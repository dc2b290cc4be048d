import type { AuditEntry } from '#db/queries/identity/audit.ts';
import type { Instant } from '#domain/units.ts';

/** Who changes something through a screen or a call, for the audit log. */
export interface Editor {
  readonly id: string;
  /** The name at this time, readable after the user is gone. */
  readonly name: string;
  readonly address: string;
  readonly requestId: string;
}

/** The columns of an audit row that say who and when. */
export function madeBy(
  { id, name, address, requestId }: Editor,
  at: Instant,
): Pick<AuditEntry, 'at' | 'actorId' | 'actor' | 'address' | 'requestId'> {
  return { at, actorId: id, actor: name, address, requestId };
}

/** Somebody, or the program itself, whom screens call by a name of its own, and what the audit log needs beside it. */
export interface Actor {
  readonly id: string | null;
  readonly name: string;
  /** The name that the audit log goes by; left out where `name` is it. */
  readonly username?: string;
  /** Left out of what comes from no request. */
  readonly address?: string;
  readonly requestId?: string;
}

/** {@link madeBy} for them. */
export function actedBy(
  { id, name, username = name, address, requestId }: Actor,
  at: Instant,
): ReturnType<typeof madeBy> {
  return { at, actorId: id, actor: username, address: address ?? null, requestId: requestId ?? null };
}

/** What a job keeps of its actor beside id and name: it writes rows long after the request has been answered. */
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
