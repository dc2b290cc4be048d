import { type Instant, instant, type Millis } from '#domain/units.ts';

export interface Span {
  readonly since: Instant;
  readonly until: Instant;
}

/** A time in parts of at most that length, the newest first. */
export function newestFirst({ since, until }: Span, longest: Millis): Span[] {
  const parts: Span[] = [];
  for (let end: number = until; end > since; end -= longest) {
    parts.push({ since: instant(Math.max(since, end - longest)), until: instant(end) });
  }
  return parts;
}
