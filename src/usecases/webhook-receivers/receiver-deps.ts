import type { AddressProblem, WebhookSender } from '#connectors/webhook-sender.ts';
import type { Db } from '#db/client.ts';
import {
  findWebhookReceiver,
  lockWebhookReceiver,
  type WebhookReceiverRow,
} from '#db/queries/webhook-receivers/receivers.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import type { SecretKeys } from '#usecases/identity/encryption/secret-keys.ts';

export interface ReceiverDeps {
  readonly db: Db;
  readonly now: () => Instant;
  readonly secrets: SecretKeys;
  readonly webhookSender: WebhookSender;
  /** Whether programs of this machine may be receivers: only while Pricewright is reachable from this machine alone. */
  readonly allowsLoopback: boolean;
}

const ADDRESS_PROBLEMS = {
  invalid: 'Enter an address such as https://hooks.example.com/pricewright, of at most 500 characters.',
  credentials: 'Enter the address without a user name and password.',
  not_https: 'Enter an address that starts with https://.',
  private: 'Enter an address on the public internet. Private networks and this machine cannot be receivers.',
} as const satisfies Record<AddressProblem, string>;

/** @returns the normalized address @throws AppError validation_failed */
export function requireAddress(
  { webhookSender, allowsLoopback }: Pick<ReceiverDeps, 'webhookSender' | 'allowsLoopback'>,
  text: string,
): string {
  const checked = webhookSender.addressOf(text, allowsLoopback);
  if ('address' in checked) return checked.address;
  const problem = ADDRESS_PROBLEMS[checked.problem];
  throw new AppError('validation_failed', problem, { fields: { address: problem } });
}

/** The form of our ids; any other text needs no query. */
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

export function isId(text: string): boolean {
  return ID.test(text);
}

function existing(receiver: WebhookReceiverRow | null): WebhookReceiverRow {
  if (receiver !== null) return receiver;
  throw new AppError('not_found', 'This webhook receiver no longer exists. Reload the page.');
}

/** A receiver, locked. @throws AppError not_found */
export async function requireReceiver(tx: Db, id: string): Promise<WebhookReceiverRow> {
  return existing(isId(id) ? await lockWebhookReceiver(tx, id) : null);
}

/** Checks that there is a receiver. @throws AppError not_found */
export async function requireKnownReceiver(db: Db, id: string): Promise<void> {
  existing(isId(id) ? await findWebhookReceiver(db, id) : null);
}

/** The refusal of a name that another receiver has. */
export function nameTaken(): AppError {
  const text = 'Another webhook receiver has this name. Choose another one.';
  return new AppError('conflict', text, { fields: { name: text } });
}

/** For the audit log: the host alone, since the rest of an address may contain a key. */
export function auditedReceiver({
  name,
  address,
  events,
  isOn,
}: Pick<WebhookReceiverRow, 'name' | 'address' | 'events' | 'isOn'>): Record<string, unknown> {
  return { name, host: new URL(address).host, events, isOn };
}
