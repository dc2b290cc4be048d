import type { User } from '#contract/users.ts';

/** "Zoë" and "ZOE" become "zoe": lowercase letters without accents. */
function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** The users whose username, email address or full name contains the text, ignoring case and accents. */
export function searchUsers(users: readonly User[], text: string): readonly User[] {
  const wanted = plain(text.trim());
  if (wanted === '') return users;
  return users.filter(({ username, email, fullName }) =>
    [username, email, fullName].some((field) => plain(field).includes(wanted)),
  );
}
