import { createHash } from 'node:crypto';
import type { Db } from '#db/client.ts';
import { findChoice, saveChoice } from '#db/queries/import-choices.ts';
import type { ImportRow } from '#db/queries/imports.ts';
import type { Instant } from '#domain/units.ts';
import { plainName } from '#files/header.ts';
import type { ColumnChoice } from './column-choice.ts';

type Shape = Pick<ImportRow, 'kind' | 'header'>;

/** Null for a header that has one name twice: which of the two was chosen could not be told. */
function headerKey(header: readonly string[]): string | null {
  const names = header.map(plainName);
  if (new Set(names).size < names.length) return null;
  return createHash('sha256').update(JSON.stringify(names.sort())).digest('hex');
}

/** Keeps what somebody chose for files with these headings. */
export async function rememberChoice(
  db: Db,
  { kind, header }: Shape,
  { mapping, defaults, readings }: ColumnChoice,
  by: { readonly name: string },
  at: Instant,
): Promise<void> {
  const key = headerKey(header);
  if (key === null) return;
  const columns = Object.fromEntries(
    Object.entries(mapping).map(([name, cell]) => [
      name,
      cell === null ? null : plainName(header[cell] ?? ''),
    ]),
  );
  await saveChoice(db, {
    kind,
    headerKey: key,
    columns,
    defaults,
    readings,
    chosenBy: by.name,
    chosenAt: at,
  });
}

/** What was chosen for files with these headings last; null when nothing was. */
export async function rememberedChoice(
  db: Db,
  { kind, header }: Shape,
): Promise<(ColumnChoice & { readonly by: string; readonly at: number }) | null> {
  const key = headerKey(header);
  const found = key === null ? null : await findChoice(db, kind, key);
  if (found === null) return null;
  const names = header.map(plainName);
  const mapping = Object.fromEntries(
    Object.entries(found.columns).map(([name, heading]) => {
      const at = heading === null ? -1 : names.indexOf(heading);
      return [name, at < 0 ? null : at];
    }),
  );
  const { defaults, readings, chosenBy: by, chosenAt: at } = found;
  return { mapping, defaults, readings, by, at };
}
