/** A file that cannot be used at all. The message says which file, where in it, and how to fix it. */
export class FileError extends Error {
  override readonly name = 'FileError';
}
