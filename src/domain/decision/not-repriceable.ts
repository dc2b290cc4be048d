import type { Instant } from '#domain/units.ts';

/** Why the price of a listing must not be changed from here now: a sale runs there, or the marketplace sets the price itself. */
export interface NotRepriceable {
  /** One sentence for users, 1 to 500 characters. */
  readonly reason: string;
  /** A user who was shown this may change the price all the same; else the marketplace stops that price too. */
  readonly isConfirmable: boolean;
  /** When it ends; null where the marketplace does not report. */
  readonly until: Instant | null;
}
