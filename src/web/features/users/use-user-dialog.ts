import { useCallback, useState } from 'react';
import type { User } from '#contract/users.ts';
import { useUrlParams } from '#web/lib/url-params.ts';
import type { UserDialog } from './users-screen.ts';

/** Dialogs that an address may open: `do=role` with the `user`. Not those that do something by opening. */
const ADDRESSED = ['reset', 'role', 'sessions', 'remove'] as const;

/** The open dialog, from the address, and how to open another one; null closes it. */
export function useUserDialog(
  users: readonly User[] | undefined,
): readonly [UserDialog | null, (dialog: UserDialog | null) => void] {
  const { params, set } = useUrlParams();
  // The link dialog creates a link, which invalidates the previous one: never opened by an address.
  const [link, setLink] = useState<UserDialog | null>(null);
  const kind = ADDRESSED.find((each) => each === params.do);
  const user = users?.find(({ id }) => id === params.user);
  const show = useCallback(
    (dialog: UserDialog | null): void => {
      setLink(dialog?.kind === 'link' ? dialog : null);
      if (dialog === null) set({ do: undefined, user: undefined }, true);
      else if (dialog.kind !== 'link') set({ do: dialog.kind, user: dialog.user.id });
    },
    [set],
  );
  return [link ?? (kind === undefined || user === undefined ? null : { kind, user }), show];
}
