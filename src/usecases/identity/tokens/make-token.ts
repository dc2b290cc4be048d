import type { MakeApiToken } from '#contract/api-tokens.ts';
import { countApiTokens, insertApiToken } from '#db/queries/identity/api-tokens.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { lockUser } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import { hours, type Instant, instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import type { AccountDeps } from '#usecases/identity/accounts/account-deps.ts';
import { tokenHash } from '#usecases/identity/accounts/secret-token.ts';
import { newApiToken } from './token-form.ts';

const TOKENS_PER_ACCOUNT = 20;
const LONGEST_LIFE = hours(24 * 366);

export interface MadeApiToken {
  readonly id: string;
  /** Shown to its user once: only its hash is stored. */
  readonly secret: string;
  readonly expiresAt: Instant;
}

/**
 * Makes a token with which a program calls the API for the user. It can do what its scopes say, and never more than
 * the role of the user at the time of a call.
 * @throws AppError validation_failed for an end in the past or after more than a year; conflict when the name is taken,
 *   or the user has 20
 */
export async function makeApiToken(
  { db, now }: Pick<AccountDeps, 'db' | 'now'>,
  { name, scopes, expiresAt, callsPerMinute }: MakeApiToken,
  editor: Editor,
): Promise<MadeApiToken> {
  const createdAt = now();
  const end = instant(Date.parse(expiresAt));
  if (end <= createdAt || end > createdAt + LONGEST_LIFE) {
    const text = 'Enter a time in the future, at most a year from now.';
    throw new AppError('validation_failed', text, { fields: { expiresAt: text } });
  }
  const secret = newApiToken();
  const made = await transact(db, async (tx) => {
    // One at a time per account: simultaneous ones would not see each other.
    await lockUser(tx, editor.id);
    if ((await countApiTokens(tx, editor.id)) >= TOKENS_PER_ACCOUNT) {
      throw new AppError(
        'conflict',
        `You have ${TOKENS_PER_ACCOUNT} API tokens. Revoke one that is no longer used.`,
      );
    }
    const row = { userId: editor.id, name, scopes: [...scopes], callsPerMinute, createdAt, expiresAt: end };
    const inserted = await insertApiToken(tx, { ...row, tokenHash: tokenHash(secret) });
    if (inserted === null) {
      const text = 'You have an API token of this name. Choose another one.';
      throw new AppError('conflict', text, { fields: { name: text } });
    }
    await insertAudit(tx, {
      ...madeBy(editor, createdAt),
      action: 'api_token.created',
      targetKind: 'api_token',
      targetId: inserted.id,
      after: { name, scopes, callsPerMinute, expiresAt: new Date(end).toISOString() },
    });
    return inserted;
  });
  return { id: made.id, secret, expiresAt: end };
}
