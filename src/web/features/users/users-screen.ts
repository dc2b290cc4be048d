import { createContext, useContext } from 'react';
import type { User } from '#contract/users.ts';

/** The open dialog and its user. */
export interface UserDialog {
  readonly kind: 'reset' | 'role' | 'sessions' | 'remove' | 'link';
  readonly user: User;
}

/** What rows and menus need from their screen. */
export interface UsersScreen {
  readonly openDialog: (dialog: UserDialog) => void;
  readonly approve: (user: User) => void;
  /** The user who is being approved. */
  readonly approving: User | null;
  readonly withdraw: (user: User) => void;
  readonly disableTwoFactor: (user: User) => void;
  readonly sendVerification: (user: User) => void;
  readonly isMe: (user: User) => boolean;
}

const nothing = (): undefined => undefined;

export const UsersScreenContext: React.Context<UsersScreen> = createContext<UsersScreen>({
  openDialog: nothing,
  approve: nothing,
  approving: null,
  withdraw: nothing,
  disableTwoFactor: nothing,
  sendVerification: nothing,
  isMe: () => false,
});

export const useUsersScreen = (): UsersScreen => useContext(UsersScreenContext);

/** Full name, or the username where there is none. */
export function nameOf({ fullName, username }: User): string {
  return fullName.trim() === '' ? username : fullName;
}

/**
 * The focused element was removed with its row: the page's heading takes the focus, or the next Tab would start at the
 * top of the document.
 */
export function keepFocus(): void {
  setTimeout(() => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) document.querySelector('h1')?.focus();
  });
}
