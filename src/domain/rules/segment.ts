import type { ListingCost } from '#domain/costs/cost.ts';
import type { Span } from '#domain/lines/line.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Cents } from '#domain/units.ts';

/** The fields of a segment that name labels, in the order of the screens. */
export const LABEL_SCOPES = ['brands', 'categories', 'tags', 'suppliers'] as const;
export type LabelScope = (typeof LABEL_SCOPES)[number];

/** The fields of a segment that bound a figure, in the order of the screens. */
export const FIGURE_SCOPES = ['ownPrice', 'cost', 'listedDays', 'stockAgeDays', 'stock'] as const;
export type FigureScope = (typeof FIGURE_SCOPES)[number];

/** The most values in one field, and the longest of them. */
export const MAX_SCOPE_LABELS = 500;
export const MAX_SCOPE_LABEL = 255;

/**
 * Which listings a rule is for, in addition to its marketplace and fulfillment type. All fields that are set have to
 * match; a listing of which such a field is not known does not match.
 */
export interface Segment {
  /** Several marketplaces, where the rule's own is null; empty: all of them. */
  readonly marketplaces: readonly Marketplace[];
  /** Labels as they were written, any of which has to match, ignoring case; empty: any or none. */
  readonly brands: readonly string[];
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  readonly suppliers: readonly string[];
  /** The last price set by hand, by import or on the marketplace: the engine cannot move a listing out. */
  readonly ownPrice: Span<Cents> | null;
  /** What a unit costs without the fulfillment fee, which depends on the price. */
  readonly cost: Span<Cents> | null;
  /** Whole days since the listing was added. */
  readonly listedDays: Span | null;
  /** As of the start of the day where the shop is, like `stock`. */
  readonly stockAgeDays: Span | null;
  readonly stock: Span | null;
}

/** No field is set. */
export const WHOLE_CATALOG: Segment = {
  marketplaces: [],
  brands: [],
  categories: [],
  tags: [],
  suppliers: [],
  ownPrice: null,
  cost: null,
  listedDays: null,
  stockAgeDays: null,
  stock: null,
};

/** What segments ask about a listing. Null is unknown; no tags are known to be none. */
export interface ScopeFacts {
  readonly brand: string | null;
  readonly category: string | null;
  readonly tags: readonly string[];
  readonly supplier: string | null;
  readonly ownPrice: Cents | null;
  readonly cost: Cents | null;
  readonly listedDays: number | null;
  readonly stockAgeDays: number | null;
  readonly stock: number | null;
}

/** Of a listing of which nothing is known but its marketplace and fulfillment type. */
export const NOTHING_KNOWN: ScopeFacts = {
  brand: null,
  category: null,
  tags: [],
  supplier: null,
  ownPrice: null,
  cost: null,
  listedDays: null,
  stockAgeDays: null,
  stock: null,
};

/** The cost that segments compare: without the fulfillment fee; null while a part is not known. */
export function scopeCost({ product, shipping, packaging, misc }: ListingCost): Cents | null {
  if (product === null || shipping === null || packaging === null || misc === null) return null;
  return (product + shipping + packaging + misc) as Cents;
}

/** A marketplace and fulfillment type, for which rules compete. */
export interface ListingKind {
  readonly marketplace: Marketplace;
  readonly fulfillmentType: FulfillmentType;
}

/** Labels that differ only in case or outer blanks are one. */
export function labelKey(label: string): string {
  return label.trim().toLowerCase();
}

export type ScopeTest = (facts: ScopeFacts) => boolean;

/** The tests of the fields that are set, without the marketplaces and, where wanted, the brands. */
export function scopeTests(segment: Segment, withBrands = true): ScopeTest[] {
  const tests: ScopeTest[] = [];
  const oneOf = (labels: readonly string[], read: (facts: ScopeFacts) => string | null): void => {
    if (labels.length === 0) return;
    const keys = new Set(labels.map(labelKey));
    tests.push((facts) => {
      const label = read(facts);
      return label !== null && keys.has(labelKey(label));
    });
  };
  for (const field of FIGURE_SCOPES) {
    const span = segment[field];
    if (span === null) continue;
    const min = span.min ?? Number.NEGATIVE_INFINITY;
    const max = span.max ?? Number.POSITIVE_INFINITY;
    tests.push((facts) => {
      const figure = facts[field];
      return figure !== null && figure >= min && figure <= max;
    });
  }
  if (withBrands) oneOf(segment.brands, ({ brand }) => brand);
  oneOf(segment.categories, ({ category }) => category);
  oneOf(segment.suppliers, ({ supplier }) => supplier);
  if (segment.tags.length > 0) {
    const keys = new Set(segment.tags.map(labelKey));
    tests.push(({ tags }) => tags.some((tag) => keys.has(labelKey(tag))));
  }
  return tests;
}

/** The fields that are set besides the marketplaces: more of them take precedence. */
export function fieldsNamed(segment: Segment): (LabelScope | FigureScope)[] {
  return [
    ...LABEL_SCOPES.filter((field) => segment[field].length > 0),
    ...FIGURE_SCOPES.filter((field) => segment[field] !== null),
  ];
}

/** Whether some listing may be in both. A SKU can have any two tags. */
export function canOverlap(one: Segment, other: Segment): boolean {
  const isApart = (mine: readonly string[], theirs: readonly string[]): boolean => {
    if (mine.length === 0 || theirs.length === 0) return false;
    const keys = new Set(theirs.map(labelKey));
    return !mine.some((label) => keys.has(labelKey(label)));
  };
  return !(
    isApart(one.marketplaces, other.marketplaces) ||
    isApart(one.brands, other.brands) ||
    isApart(one.categories, other.categories) ||
    isApart(one.suppliers, other.suppliers) ||
    FIGURE_SCOPES.some((field) => areApart(one[field], other[field]))
  );
}

/** Whether every listing of the second is in the first, as far as their fields say. Marketplaces are not compared. */
export function coversSegment(wide: Segment, narrow: Segment): boolean {
  const labels = LABEL_SCOPES.every((field) => {
    if (wide[field].length === 0) return true;
    const keys = new Set(wide[field].map(labelKey));
    return narrow[field].length > 0 && narrow[field].every((label) => keys.has(labelKey(label)));
  });
  return labels && FIGURE_SCOPES.every((field) => coversSpan(wide[field], narrow[field]));
}

function areApart(one: Span | null, other: Span | null): boolean {
  if (one === null || other === null) return false;
  return isBelow(one, other) || isBelow(other, one);
}

function isBelow({ max }: Span, { min }: Span): boolean {
  return max !== null && min !== null && max < min;
}

function coversSpan(wide: Span | null, narrow: Span | null): boolean {
  if (wide === null) return true;
  if (narrow === null) return false;
  const isLow = wide.min === null || (narrow.min !== null && narrow.min >= wide.min);
  return isLow && (wide.max === null || (narrow.max !== null && narrow.max <= wide.max));
}

/** What the segments of rules distinguish: listings alike in all of it have the same rule. */
export interface UsedScope {
  /** The labels that are named: listings are alike whatever others they have. */
  readonly labels: Readonly<Record<LabelScope, readonly string[]>>;
  /** Where a figure enters or leaves a range, ascending: whole numbers, each the first of a part. */
  readonly edges: Readonly<Record<FigureScope, readonly number[]>>;
}

/** What these segments ask about listings. */
export function usedScope(segments: readonly Segment[]): UsedScope {
  const edges = (field: FigureScope): number[] => {
    const ends = segments.flatMap((segment) => {
      const { min = null, max = null } = segment[field] ?? {};
      return [...(min === null ? [] : [min]), ...(max === null ? [] : [max + 1])];
    });
    return [...new Set(ends)].sort((a, b) => a - b);
  };
  const named = (field: LabelScope): string[] => [...new Set(segments.flatMap((segment) => segment[field]))];
  return {
    labels: {
      brands: named('brands'),
      categories: named('categories'),
      tags: named('tags'),
      suppliers: named('suppliers'),
    },
    edges: {
      ownPrice: edges('ownPrice'),
      cost: edges('cost'),
      listedDays: edges('listedDays'),
      stockAgeDays: edges('stockAgeDays'),
      stock: edges('stock'),
    },
  };
}

/**
 * A figure of a part, as the database numbers parts.
 * @param part 0 is below the first edge; null is unknown
 */
export function figureOfPart<Unit extends number>(
  edges: readonly number[],
  part: number | null,
): Unit | null {
  if (part === null) return null;
  return (part === 0 ? (edges[0] ?? 0) - 1 : (edges[part - 1] ?? 0)) as Unit;
}
