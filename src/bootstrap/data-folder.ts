import { stat } from 'node:fs/promises';

/**
 * What is wrong with the rights of the data folder; null when it is closed, or not there yet. What lies inside is closed
 * by itself: this is the second door. Root's folder may be passed through, since its database runs under another user.
 */
export async function openFolderProblem(folder: string): Promise<string | null> {
  const found = await stat(folder).catch(() => null);
  if (found === null) return null;
  const others = found.uid === 0 ? 0o066 : 0o077;
  if ((found.mode & others) === 0) return null;
  return `other users of this machine can read the data folder ${folder}: run "chmod ${found.uid === 0 ? '711' : '700'} ${folder}"`;
}
