import { createHash } from 'node:crypto';
import type { Db } from '#db/client.ts';
import { findChoice, saveChoice } from '#db/queries/catalog/import-choices.ts';
import type { ImportRow } from '#db/queries/catalog/imports.ts';
import type { Instant } from '#domain/units.ts';
import { plainName } from '#files/header.ts';
import type { ColumnChoice } from './column-choice.ts';

/** What makes two files alike. */
interface Shape extends Pick<ImportRow, 'kind' | 'header'> {
  readonly separator: string;
}

/** Null for a header that has one name twice: the choice would be ambiguous. */
function headerKey({ header, separator }: Shape): string | null {
  const names = header.map(plainName);
  if (new Set(names).size < names.length) return null;
  return createHash('sha256')
    .update(JSON.stringify([separator, names.sort()]))
    .digest('hex');
}

/** Which columns were chosen, and which questions were answered. */
interface Remembered extends Pick<ColumnChoice, 'mapping'> {
  readonly answered: readonly string[];
}

/**
 * Remembers which columns were chosen for files with these headings. Marketplace, unit, decimal mark, date order, time
 * zone and what may be replaced can differ in the next file: of them only the fact that they were answered is stored.
 * Otherwise a file would be read with a default that no user chose.
 */
export async function rememberChoice(
  db: Db,
  shape: Shape,
  { mapping, answered }: Remembered,
  by: { readonly name: string },
  at: Instant,
): Promise<void> {
  const { kind, header } = shape;
  const key = headerKey(shape);
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
    answered: [...answered],
    chosenBy: by.name,
    chosenAt: at,
  });
}

/** The columns that were chosen last for files with these headings; null when none were. */
export async function rememberedChoice(
  db: Db,
  shape: Shape,
): Promise<(Remembered & { readonly by: string; readonly at: number }) | null> {
  const { kind, header } = shape;
  const key = headerKey(shape);
  const found = key === null ? null : await findChoice(db, kind, key);
  if (found === null) return null;
  const names = header.map(plainName);
  const mapping = Object.fromEntries(
    Object.entries(found.columns).map(([name, heading]) => {
      const at = heading === null ? -1 : names.indexOf(heading);
      return [name, at < 0 ? null : at];
    }),
  );
  return { mapping, answered: found.answered, by: found.chosenBy, at: found.chosenAt };
}
