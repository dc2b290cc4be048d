/** Arguments that cannot be used. The message names the flag and the way out. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
