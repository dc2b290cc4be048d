import type { Db } from '#db/client.ts';
import { readProvider } from '#db/queries/identity/identity-provider.ts';
import type { UserRow } from '#db/queries/identity/users.ts';
import { AppError } from '#usecases/app-error.ts';

/**
 * Why an account may not log in with its password although it is right; null when it may. Where an identity provider is
 * in use, passwords can be left to administrators, who need one when the provider fails.
 */
export async function passwordLoginRefusal(
  db: Db,
  { role }: Pick<UserRow, 'role'>,
): Promise<AppError | null> {
  if (role === 'admin') return null;
  const provider = await readProvider(db);
  if (provider === null || !provider.isOn || provider.directLogin === 'all') return null;
  return new AppError(
    'not_allowed',
    `Log in with ${provider.label}: on this server only administrators log in with a password.`,
  );
}
