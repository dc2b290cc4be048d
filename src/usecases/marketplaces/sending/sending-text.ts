const LONGEST = 500;

/** What a marketplace answered, as one line that a screen can show. */
export function oneLine(message: string): string {
  const line = message.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return 'The marketplace gave no reason.';
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`;
}
