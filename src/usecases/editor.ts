import type { AuditEntry } from '#db/queries/audit.ts';
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
