const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });

/** "Last 30 days (Oct 4 to Nov 2)", in the reader's time zone. */
export function rangeText(days: string, { from, to }: { from: string; to: string }): string {
  return `Last ${days} days (${day.format(new Date(from))} to ${day.format(new Date(to))})`;
}
