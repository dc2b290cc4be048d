import { stat } from 'node:fs/promises';

/** What is wrong with a folder, and the command that fixes it. */
export interface FolderProblem {
  readonly problem: string;
  readonly command: string;
}

/**
 * What is wrong with the permissions of the data folder; null when only its owner may enter it, or it does not exist
 * yet. The files in it are protected too: this is the second layer. Root's folder may be entered, since its database
 * runs under another user.
 */
export async function openFolderProblem(folder: string): Promise<FolderProblem | null> {
  const found = await stat(folder).catch(() => null);
  if (found === null) return null;
  const others = found.uid === 0 ? 0o066 : 0o077;
  if ((found.mode & others) === 0) return null;
  return {
    problem: `other users of this machine can read the data folder ${folder}`,
    command: `chmod ${found.uid === 0 ? '711' : '700'} ${folder}`,
  };
}
