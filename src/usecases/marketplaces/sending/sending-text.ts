const MAX_LENGTH = 500;

/** A marketplace's message as a single line of at most {@link MAX_LENGTH} characters. */
export function oneLine(message: string): string {
  const line = message.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return 'The marketplace gave no reason.';
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH - 1)}…`;
}
