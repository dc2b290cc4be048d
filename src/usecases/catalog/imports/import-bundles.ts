import { notify } from '#db/listen.ts';
import { findBundleCodes } from '#db/queries/catalog/bundle-codes.ts';
import { findComponents, findSkuIds, replaceComponents } from '#db/queries/catalog/import-bundles.ts';
import type { TextRow } from '#db/queries/catalog/import-rows.ts';
import type { BundleColumn } from '#files/bundle-format.ts';
import type { CellComplaint } from '#files/cell-kinds.ts';
import { quoted } from '#files/row-problem.ts';
import { textWithin } from './fields.ts';
import type { Change, Importer, RowError, RowOutcome } from './importer.ts';
import { groupErrors, groupsOf, type Readable, readable } from './whole-groups.ts';

interface BundleRow {
  readonly listingSku: string;
  /** Null when unreadable. */
  readonly componentSku: string | null;
  readonly quantity: number | null;
}

const COLUMNS = ['listing_sku', 'component_sku', 'quantity'] as const satisfies readonly BundleColumn[];
const LONGEST_CODE = 200;
const MISSING = {
  problem: 'Missing required fields',
  fix: 'Write the SKU of the listing, the SKU of the component, and the quantity.',
} as const;
const QUANTITY_FIX = 'Write a whole number of at least 1.';

/** Bundles: a file replaces all components of each listing SKU in it. */
export const BUNDLE_IMPORT: Importer<BundleColumn, BundleRow> = {
  columns: COLUMNS,
  groupOf: ({ listingSku }) => listingSku,
  readsBroken: true,
  shortRow: MISSING,
  reader: () => (cells) => {
    const blank = COLUMNS.find((name) => cells.text(name) === null);
    if (blank !== undefined) cells.reject(blank, MISSING.problem, MISSING.fix);
    const invalid = (value: string): CellComplaint => ({
      problem: `Invalid quantity ${quoted(value.trim())}`,
      fix: QUANTITY_FIX,
    });
    const quantity = cells.quantity('quantity', invalid);
    // A cell such as "n/a" reads as not known; a component needs its quantity.
    if (quantity === null && blank === undefined && !cells.isBad('quantity')) {
      const { problem, fix } = invalid(cells.text('quantity') ?? '');
      cells.reject('quantity', problem, fix);
    }
    const listingSku = textWithin(cells, 'listing_sku', LONGEST_CODE);
    const componentSku = textWithin(cells, 'component_sku', LONGEST_CODE);
    return listingSku === null ? null : { listingSku, componentSku, quantity };
  },
  plan: async (db, entries, { at }, lock) => {
    const rows = readable(entries);
    const ids = await findSkuIds(
      db,
      rows.flatMap(({ row }) => row.componentSku ?? []),
    );
    const groups = groupsOf(rows, ({ listingSku }) => listingSku);
    const stored = new Map<string, Map<string, number>>();
    for (const { listingSku, componentSku, quantity } of await findComponents(db, [...groups.keys()])) {
      stored.set(listingSku, (stored.get(listingSku) ?? new Map()).set(componentSku, quantity));
    }
    const isBundle = bundleFinder(
      rows.map(({ row }) => ({ listingSku: row.listingSku, sku: row.componentSku })),
      await findBundleCodes(db, [...ids.keys()]),
    );
    const outcomes = new Map<Readable<BundleRow>, RowOutcome>();
    const changed: string[] = [];
    const components: TextRow[] = [];
    for (const [listingSku, group] of groups) {
      const known = { ids, isBundle, stored: stored.get(listingSku) ?? new Map() };
      if (!planBundle(group, known, outcomes)) continue;
      changed.push(listingSku);
      for (const { row } of group) {
        const componentId = ids.get(row.componentSku ?? '') ?? null;
        components.push({ listingSku, componentId, quantity: String(row.quantity) });
      }
    }
    return {
      outcomes: rows.flatMap((entry) => outcomes.get(entry) ?? []),
      write: async (tx) => {
        if (!lock || changed.length === 0) return;
        await replaceComponents(tx, changed, components, at);
        await notify(tx, 'pricewright_listings', []);
      },
    };
  },
};

interface Known {
  /** SKU ids by code. */
  readonly ids: ReadonlyMap<string, string>;
  readonly isBundle: (listingSku: string, sku: string) => boolean;
  /** The bundle's current quantities by component. */
  readonly stored: ReadonlyMap<string, number>;
}

/** @returns whether the bundle has to be written */
function planBundle(
  group: readonly Readable<BundleRow>[],
  { ids, isBundle, stored }: Known,
  outcomes: Map<Readable<BundleRow>, RowOutcome>,
): boolean {
  const firstLines = new Map<string, number>();
  for (const { row, line } of group) {
    if (row.componentSku !== null && !firstLines.has(row.componentSku))
      firstLines.set(row.componentSku, line);
  }
  const complaints = groupErrors(group, 'bundle', ({ row: { listingSku, componentSku }, line }) => {
    const first = firstLines.get(componentSku ?? '');
    if (first !== undefined && first !== line) return namedTwice(componentSku, first);
    if (!ids.has(componentSku ?? '')) return noSku(componentSku);
    return isBundle(listingSku, componentSku ?? '') ? bundleInside(componentSku) : null;
  });
  const named = new Set(group.map(({ row }) => row.componentSku));
  // Components missing from the file are removed; shown with the first row of the bundle.
  let removed: Change[] = [...stored]
    .filter(([sku]) => !named.has(sku))
    .map(([sku, quantity]) => ({ field: 'component', from: `${quantity} x ${sku}`, to: null }));
  let isChanged = removed.length > 0;
  for (const entry of group) {
    const { listingSku, componentSku, quantity } = entry.row;
    const what = `${listingSku}: ${componentSku ?? 'unreadable'}`;
    const complaint = complaints.get(entry);
    if (complaint !== undefined) {
      outcomes.set(entry, { kind: 'rejected', what, complaint });
      continue;
    }
    const old = stored.get(componentSku ?? '');
    const changes = [...removed];
    removed = [];
    if (old !== undefined && old !== quantity) {
      changes.push({ field: 'quantity', from: String(old), to: String(quantity) });
    }
    if (old === undefined || changes.length > 0) isChanged = true;
    if (old === undefined && changes.length === 0) outcomes.set(entry, { kind: 'create', what });
    else if (changes.length === 0) outcomes.set(entry, { kind: 'unchanged', what });
    else outcomes.set(entry, { kind: 'update', what, changes });
  }
  return isChanged && complaints.size === 0;
}

function namedTwice(componentSku: string | null, first: number): RowError {
  const fix = `Put both into one row; the first is line ${first}.`;
  return {
    column: 'component_sku',
    value: componentSku,
    problem: `SKU ${quoted(componentSku ?? '')} is already in this bundle`,
    fix,
  };
}

function noSku(componentSku: string | null): RowError {
  const fix = 'Import or create the SKU first, or correct the code.';
  return {
    column: 'component_sku',
    value: componentSku,
    problem: `SKU ${quoted(componentSku ?? '')} not found`,
    fix,
  };
}

function bundleInside(componentSku: string | null): RowError {
  const fix = 'Add its components instead.';
  return {
    column: 'component_sku',
    value: componentSku,
    problem: `SKU ${quoted(componentSku ?? '')} is itself a bundle`,
    fix,
  };
}

interface PackedRow {
  readonly listingSku: string | null;
  readonly sku: string | null;
}

/**
 * Says whether a component of a bundle is a bundle itself. What the rows say of one comes in the place of what is
 * stored; a bundle packed from its own SKU, as a set of two is, leaves that SKU an article.
 * @param stored codes that are those of stored bundles
 */
function bundleFinder(
  rows: readonly PackedRow[],
  stored: ReadonlySet<string>,
): (listingSku: string, sku: string) => boolean {
  const packedHere = new Set(rows.map(({ listingSku }) => listingSku));
  const ofItself = new Set(rows.flatMap(({ listingSku, sku }) => (sku === listingSku ? [sku] : [])));
  return (listingSku, sku) =>
    sku !== listingSku && !ofItself.has(sku) && (packedHere.has(sku) || stored.has(sku));
}
