import { ConnectorError } from './connector-error.ts';
import { isUnreadable, type UnreadableRow } from './passed-over.ts';

/** With fewer rows nothing can be said about their format. */
const MIN_ROWS = 50;
/** More than this share of unreadable rows is no accident: the service writes a member in another way. */
const MAX_SHARE = 0.2;

/**
 * Counts the rows of one reading that cannot be read. A few are passed over. When more than a fifth of at least fifty
 * have the same unreadable member, the format has changed, and what seems readable may not mean what it did.
 */
export class FormatAlarm {
  readonly #name: string;
  readonly #unreadable = new Map<string, { count: number; readonly example: UnreadableRow }>();
  #rows = 0;

  /** @param name of the service */
  constructor(name: string) {
    this.#name = name;
  }

  takes(rows: readonly object[]): void {
    this.#rows += rows.length;
    for (const row of rows) {
      if (!isUnreadable(row)) continue;
      const known = this.#unreadable.get(row.member) ?? { count: 0, example: row };
      this.#unreadable.set(row.member, { ...known, count: known.count + 1 });
    }
  }

  /** @throws ConnectorError of fault "unreadable" when the format has changed */
  check(): void {
    for (const [member, { count, example }] of this.#unreadable) {
      if (this.#rows < MIN_ROWS || count <= this.#rows * MAX_SHARE) continue;
      throw new ConnectorError(
        'unreadable',
        `${this.#name} changed how it writes "${member}": ${figure(count)} of ${figure(this.#rows)} rows cannot be read, such as "${example.value}" for ${example.what}. None of them was used. Look for a newer version of Pricewright.`,
      );
    }
  }
}

/** The rows that have to come before the first of them is used. */
const FIRST_ROWS = 1_000;

/**
 * Pages of a reading, checked by {@link FormatAlarm} before they are used: the first ones wait until
 * `firstRows` rows have come, so that nothing of a smaller reading is used when its format has changed. Those that came
 * before the reading failed in another way are passed on first.
 * @throws ConnectorError
 */
export async function* alarmed<Page, End>(
  name: string,
  pages: AsyncGenerator<Page, End>,
  rowsOf: (page: Page) => readonly object[],
  firstRows = FIRST_ROWS,
): AsyncGenerator<Page, End> {
  const alarm = new FormatAlarm(name);
  let waiting: Page[] = [];
  let rows = 0;
  try {
    for (;;) {
      const step = await nextOf(pages);
      if (step.kind === 'page') {
        alarm.takes(rowsOf(step.page));
        rows += rowsOf(step.page).length;
        waiting.push(step.page);
        if (rows < firstRows) continue;
      }
      alarm.check();
      const free = waiting;
      waiting = [];
      yield* free;
      if (step.kind === 'end') return step.end;
      if (step.kind === 'failed') throw step.error;
    }
  } finally {
    // A consumer that stops early ends the reading too.
    await pages.return(undefined as End);
  }
}

type Step<Page, End> =
  | { readonly kind: 'page'; readonly page: Page }
  | { readonly kind: 'end'; readonly end: End }
  | { readonly kind: 'failed'; readonly error: unknown };

async function nextOf<Page, End>(pages: AsyncGenerator<Page, End>): Promise<Step<Page, End>> {
  try {
    const step = await pages.next();
    return step.done === true ? { kind: 'end', end: step.value } : { kind: 'page', page: step.value };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

function figure(count: number): string {
  return count.toLocaleString('en-US');
}
