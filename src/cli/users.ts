import { AppError } from '#usecases/app-error.ts';
import { EXIT } from './exit-codes.ts';

export type ListedUser = {
  readonly email: string;
  readonly fullName: string;
  readonly role: string;
  readonly approved: boolean;
  readonly emailVerified: boolean;
};

/** What the command needs from the database; only called once the arguments make sense. */
export type UsersDeps = {
  readonly approve: (email: string, asAdmin: boolean) => Promise<ListedUser>;
  readonly disableTwoFactor: (email: string) => Promise<ListedUser>;
  readonly unlock: (email: string) => Promise<ListedUser>;
  readonly unlink: (email: string) => Promise<ListedUser>;
  /** False when it was off. */
  readonly turnProviderOff: () => Promise<boolean>;
  readonly list: () => Promise<readonly ListedUser[]>;
};

export type Io = { readonly out: (line: string) => void; readonly err: (line: string) => void };

export const USERS_USAGE = `Usage: pricewright users list
       pricewright users approve EMAIL [--admin]
       pricewright users disable-2fa EMAIL
       pricewright users unlock EMAIL
       pricewright users unlink EMAIL
       pricewright users provider-off

list          shows every account and what it is waiting for
approve       approves an account; --admin also makes it an administrator
disable-2fa   turns off two-factor authentication of an account whose phone and recovery
              codes are lost, and logs it out everywhere; then its password is enough
unlock        ends the lockouts after wrong passwords and codes
unlink        ends the link of an account to a person at the identity provider, and the
              sessions begun with it; the next login links it again
provider-off  turns the login with the identity provider off, ends the sessions begun
              with it, and lets everyone with a password log in again`;

/** `pricewright users ...`. @returns the exit code: 0 done, 1 no such account, 2 wrong usage */
export async function usersCommand(argv: readonly string[], io: Io, deps: UsersDeps): Promise<number> {
  const [command, ...rest] = argv;
  if (command === '--help' || command === '-h' || command === 'help') {
    io.out(USERS_USAGE);
    return EXIT.ok;
  }
  if (command === 'list' && rest.length === 0) return printUsers(io, await deps.list());
  if (command === 'provider-off' && rest.length === 0) {
    return action(io, async () => turnedOff(await deps.turnProviderOff()));
  }
  const emails = rest.filter((argument) => !argument.startsWith('-'));
  const options = rest.filter((argument) => argument.startsWith('-'));
  const [email] = emails;
  if (email !== undefined && emails.length === 1) {
    if (command === 'approve' && options.every((option) => option === '--admin')) {
      return action(io, async () => approved(await deps.approve(email, options.length > 0)));
    }
    if (command === 'disable-2fa' && options.length === 0) {
      return action(io, async () => disabled(await deps.disableTwoFactor(email)));
    }
    if (command === 'unlock' && options.length === 0) {
      return action(io, async () => unlocked(await deps.unlock(email)));
    }
    if (command === 'unlink' && options.length === 0) {
      return action(io, async () => unlinked(await deps.unlink(email)));
    }
  }
  io.err(USERS_USAGE);
  return EXIT.unusable;
}

/** Says what was done, or in one line why it was not. */
async function action(io: Io, change: () => Promise<string>): Promise<number> {
  try {
    io.out(await change());
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    io.err(plain(error.message));
    return EXIT.failed;
  }
}

function approved({ email, role }: ListedUser): string {
  return `${plain(email)} can log in${role === 'admin' ? ' and is an administrator' : ''}.`;
}

function disabled({ email }: ListedUser): string {
  return `${plain(email)} logs in with the password only. Set two-factor authentication up again under Account & security.`;
}

function unlocked({ email }: ListedUser): string {
  return `${plain(email)} can try to log in again now.`;
}

function unlinked({ email }: ListedUser): string {
  return `${plain(email)} is not linked to the identity provider. The next login with it links the account again, if the settings allow it.`;
}

function turnedOff(wasOn: boolean): string {
  return wasOn
    ? 'The identity provider is off. Users log in with their passwords.'
    : 'The identity provider was off already.';
}

function stateOf({ approved, emailVerified }: ListedUser): string {
  if (!approved) return 'waits for approval';
  return emailVerified ? 'active' : 'email not verified';
}

function printUsers(io: Io, users: readonly ListedUser[]): number {
  if (users.length === 0) io.err('No accounts yet.');
  for (const user of users) {
    io.out([user.email, user.role, stateOf(user), user.fullName].map(plain).join('\t'));
  }
  return EXIT.ok;
}

/** People choose their names: control characters could rewrite what the terminal shows. */
function plain(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?');
}
