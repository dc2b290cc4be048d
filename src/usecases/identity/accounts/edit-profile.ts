import type { EditProfile } from '#contract/sessions.ts';
import { readToday } from '#db/queries/catalog/shop-days.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { lockUser, type UserRow, updateUser } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import { mondayOf } from '#domain/time/week.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import type { AccountDeps } from './account-deps.ts';

/**
 * Changes the user's own name and phone number, and whether the weekly summary is wanted; what is not given is kept. Saving the same values changes
 * nothing.
 * @throws AppError not_found when the account was removed in between
 */
export async function editProfile(
  { db, now }: Pick<AccountDeps, 'db' | 'now'>,
  wanted: EditProfile,
  editor: Editor,
): Promise<UserRow> {
  return transact(db, async (tx) => {
    const user = await lockUser(tx, editor.id);
    if (user === null) throw new AppError('not_found', 'Your account was removed.');
    const { fullName, phoneNumber = user.phoneNumber, weeklySummary = user.weeklySummary } = wanted;
    const isSame = user.fullName === fullName && user.phoneNumber === phoneNumber;
    if (isSame && user.weeklySummary === weeklySummary) return user;
    // The first summary is that of this week.
    const until = mondayOf(await readToday(tx, now()));
    const start = weeklySummary && !user.weeklySummary ? { weeklySummaryUntil: until } : {};
    const patch = { fullName, phoneNumber, weeklySummary, ...start };
    const summary = (isOn: boolean) => (weeklySummary === user.weeklySummary ? {} : { weeklySummary: isOn });
    const after = await updateUser(tx, user.id, patch, now());
    await insertAudit(tx, {
      ...madeBy(editor, now()),
      action: 'user.profile_edited',
      targetKind: 'user',
      targetId: user.id,
      before: { fullName: user.fullName, phoneNumber: user.phoneNumber, ...summary(user.weeklySummary) },
      after: { fullName, phoneNumber, ...summary(weeklySummary) },
    });
    return after ?? user;
  });
}
