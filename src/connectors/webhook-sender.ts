import type { Instant } from '#domain/units.ts';
import type { AttemptOutcome } from '#domain/webhook-receivers/delivery-retries.ts';

/**
 * Why an address cannot receive webhooks. `invalid` no address, or too long · `credentials` it contains a user name or
 * password · `not_https` · `private` an address of a private network, or of this machine where that is not allowed.
 */
export type AddressProblem = 'invalid' | 'credentials' | 'not_https' | 'private';

/** A webhook as it is signed. */
export interface SignedMessage {
  /** The same at each attempt, so that the receiver can recognize a repetition. */
  readonly id: string;
  /** When this attempt is sent. */
  readonly at: Instant;
  readonly body: string;
}

/** A call with its signature. */
export interface WebhookCall {
  /** As `addressOf` returns it. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
  readonly at: Instant;
}

/** Sends webhooks to the receivers of the seller. */
export interface WebhookSender {
  /** Checks an address that is entered for a receiver, or stored. @returns it normalized, or the problem */
  addressOf(
    text: string,
    allowsLoopback: boolean,
  ): { readonly address: string } | { readonly problem: AddressProblem };
  newSecret(): string;
  /** The headers that identify and sign a webhook. @param secrets each signs */
  headersOf(secrets: readonly string[], message: SignedMessage): Readonly<Record<string, string>>;
  /**
   * Delivers once. @returns how it ended; failures of the receiver are not thrown
   * @throws the reason of the signal once that aborts
   */
  post(call: WebhookCall, signal: AbortSignal): Promise<AttemptOutcome>;
}
