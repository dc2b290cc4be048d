import { deleteApiToken } from '#db/queries/identity/api-tokens.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { findUser } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import type { AccountDeps } from '#usecases/identity/accounts/account-deps.ts';
import { requireTwoFactor, type SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';

/** The form of an id; any other text needs no query. */
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Ends an API token at once: a call that is under way changes nothing more.
 * @param by administrators revoke tokens of other users too, with the second factor that the server requires of them
 * @throws AppError not_found, the same for a revoked token, another user's or none at all; two_factor_missing
 */
export async function revokeApiToken(
  { db, now }: Pick<AccountDeps, 'db' | 'now'>,
  id: string,
  by: Pick<SessionAssurance, 'twoFactor'> & { readonly isAdmin: boolean },
  editor: Editor,
): Promise<void> {
  const isRevoked =
    ID.test(id) &&
    (await transact(db, async (tx) => {
      const token = await deleteApiToken(tx, id, by.isAdmin ? null : editor.id);
      if (token === null) return false;
      if (token.userId !== editor.id) requireTwoFactor(by);
      const owner = await findUser(tx, token.userId);
      await insertAudit(tx, {
        ...madeBy(editor, now()),
        action: 'api_token.revoked',
        targetKind: 'api_token',
        targetId: id,
        before: { name: token.name, scopes: token.scopes, user: owner?.username ?? null },
      });
      return true;
    }));
  if (!isRevoked) throw new AppError('not_found', 'This API token was revoked already.');
}
