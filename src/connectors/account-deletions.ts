import type { Account } from './connector.ts';
import type { Delivery } from './marketplace-events.ts';

/** A signed message of eBay about a deleted account. */
export interface DeletedAccount {
  /** Everything that identifies the user: name and ID. Empty for a message about something else. */
  readonly names: readonly string[];
}

/** eBay's messages about deleted accounts. They concern all users of eBay, and every application gets them. */
export interface AccountDeletions {
  /**
   * @param account asked for when a key has to be read; the credentials of the application are enough
   * @returns null for anything but a message that eBay signed
   * @throws ConnectorError when the key that it was signed with cannot be read, and any error of `account`
   */
  messageOf(
    account: () => Promise<Account>,
    delivery: Delivery,
    signal: AbortSignal,
  ): Promise<DeletedAccount | null>;
}
