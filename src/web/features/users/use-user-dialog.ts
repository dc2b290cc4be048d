import { useCallback, useState } from 'react';
import type { User } from '#contract/users.ts';
import { useUrlParams } from '#web/lib/url-params.ts';
import type { UserDialog } from './users-screen.ts';

/** Dialogs that an address may ask for: `do=role` with the `user`. One that does something by opening is not among them. */
const ADDRESSED = ['reset', 'role', 'sessions', 'remove'] as const;

/** The dialog in view, as the address says, and how to show another one; null closes it and forgets it. */
export function useUserDialog(
  users: readonly User[] | undefined,
): readonly [UserDialog | null, (dialog: UserDialog | null) => void] {
  const { params, set } = useUrlParams();
  // The link dialog makes a new link, and the one before stops working: never by following an address.
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
