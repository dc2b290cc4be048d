/** How a file writes dates: month first, as in the United States, or day first. ISO 8601 needs neither. */
export const DAY_ORDERS = ['mdy', 'dmy'] as const;
export type DayOrder = (typeof DAY_ORDERS)[number];

/** What the samples of a column of times show, and what the user has to choose. */
export interface MomentShape {
  /** Null if no sample needs an order; `ask` if all samples are ambiguous or contradict each other. */
  readonly order: DayOrder | 'ask' | null;
  /** A sample for the question to the user, "03/04/2026 3:04 PM". */
  readonly example: string | null;
  /** Whether a sample has no time zone. */
  readonly lacksZone: boolean;
}

const NUMBERED = /^(\d{1,2})[/.-](\d{1,2})[/.-](?:\d{4}|\d{2})(?!\d)/;
const NAMED = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d/i;
const DAY_NAMED = /^\d{1,2}\.?[ -](?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;
const ZONED = /(?:Z|UTC|GMT|[ECMP][SD]T|[+-]\d{2}:?\d{2})$/i;
/** An ISO 8601 date without a time is midnight UTC. */
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/i;

/** How the cells of a column can be read. */
export function momentShape(samples: readonly string[]): MomentShape {
  const texts = samples.map((text) => text.trim()).filter((text) => text !== '' && text.length <= 60);
  const numbered = texts.flatMap((text) => {
    const match = NUMBERED.exec(text);
    return match === null ? [] : [{ text, first: Number(match[1]), second: Number(match[2]) }];
  });
  const isDayFirst = numbered.some(({ first }) => first > 12);
  const isMonthFirst = numbered.some(({ second }) => second > 12);
  const lacksZone = texts.some(
    (text) =>
      (NUMBERED.test(text) || NAMED.test(text) || DAY_NAMED.test(text) || ISO_TIME.test(text)) &&
      !isZoned(text),
  );
  const example = numbered[0]?.text ?? texts[0] ?? null;
  if (numbered.length === 0) return { order: null, example, lacksZone };
  if (isDayFirst === isMonthFirst) return { order: 'ask', example, lacksZone };
  return { order: isDayFirst ? 'dmy' : 'mdy', example, lacksZone };
}

/** "+01:00" after a time is a zone; "-2026" after a date is not. */
function isZoned(text: string): boolean {
  return (
    ISO_DAY.test(text) ||
    (ZONED.test(text) && (/:\d{2}/.test(text) || /[a-z]$/i.test(text)) && !/[ap]\.?m\.?$/i.test(text))
  );
}
