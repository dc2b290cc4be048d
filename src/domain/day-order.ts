/** How a file writes days: month first, as in the United States, or day first. ISO 8601 needs no answer. */
export const DAY_ORDERS = ['mdy', 'dmy'] as const;
export type DayOrder = (typeof DAY_ORDERS)[number];

/** What samples of a column of moments say, and what has to be asked. */
export interface MomentShape {
  /** Null when no sample needs an order; `ask` when all of them can be read either way, or they disagree. */
  readonly order: DayOrder | 'ask' | null;
  /** A sample that shows the question, "03/04/2026 3:04 PM". */
  readonly example: string | null;
  /** Some sample says no time zone. */
  readonly lacksZone: boolean;
}

const NUMBERED = /^(\d{1,2})[/.-](\d{1,2})[/.-](?:\d{4}|\d{2})(?!\d)/;
const NAMED = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d/i;
const ZONED = /(?:Z|UTC|GMT|[ECMP][SD]T|[+-]\d{2}:?\d{2})$/i;
/** A day of ISO 8601 alone is midnight UTC, as it always was. */
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/i;

/** What the cells of a column say about how to read them. */
export function momentShape(samples: readonly string[]): MomentShape {
  const texts = samples.map((text) => text.trim()).filter((text) => text !== '' && text.length <= 60);
  const numbered = texts.flatMap((text) => {
    const match = NUMBERED.exec(text);
    return match === null ? [] : [{ text, first: Number(match[1]), second: Number(match[2]) }];
  });
  const isDayFirst = numbered.some(({ first }) => first > 12);
  const isMonthFirst = numbered.some(({ second }) => second > 12);
  const lacksZone = texts.some(
    (text) => (NUMBERED.test(text) || NAMED.test(text) || ISO_TIME.test(text)) && !isZoned(text),
  );
  const example = numbered[0]?.text ?? texts[0] ?? null;
  if (numbered.length === 0) return { order: null, example, lacksZone };
  if (isDayFirst === isMonthFirst) return { order: 'ask', example, lacksZone };
  return { order: isDayFirst ? 'dmy' : 'mdy', example, lacksZone };
}

/** "+01:00" behind a time is a zone; "-2026" behind a day is not. */
function isZoned(text: string): boolean {
  return (
    ISO_DAY.test(text) ||
    (ZONED.test(text) && (/:\d{2}/.test(text) || /[a-z]$/i.test(text)) && !/[ap]\.?m\.?$/i.test(text))
  );
}
