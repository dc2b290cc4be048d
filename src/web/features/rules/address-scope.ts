import type { ListingFilter } from '#contract/listings.ts';
import type { Rule } from '#contract/rules.ts';
import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import { labelsIn } from '#web/lib/label-text.ts';
import { BLANK_DRAFT, draftOf, type RuleDraft } from './rule-draft.ts';

/** Listings that a new rule is for, from the address: the filters of the list that a rule can have. */
export type AddressScope = Pick<ListingFilter, 'marketplace' | 'fulfillment' | 'brand' | 'supplier' | 'tag'>;

const LABELS = { brand: 'brands', supplier: 'suppliers', tag: 'tags' } as const;

/** The listings named in the address; null if it names none. Unknown values are ignored. */
export function addressScope(search: Readonly<Record<string, unknown>>): AddressScope | null {
  const text = (name: string): string => (typeof search[name] === 'string' ? search[name] : '');
  const marketplace = MARKETPLACES.find((each) => each === text('marketplace'));
  const fulfillment = FULFILLMENT_TYPES.find((each) => each === text('fulfillment'));
  const labels = Object.keys(LABELS).flatMap((name) => {
    const chosen = labelsIn(text(name)).filter((label) => label !== '');
    return chosen.length === 0 ? [] : [[name, chosen.join('|')] as const];
  });
  const scope: AddressScope = {
    ...(marketplace !== undefined && { marketplace }),
    ...(fulfillment !== undefined && { fulfillment }),
    ...Object.fromEntries(labels),
  };
  return Object.keys(scope).length === 0 ? null : scope;
}

/** The rules in the address that were copied for its listings, and the points of the last copy. */
export function copiedBefore(search: Readonly<Record<string, unknown>>): {
  readonly ids: readonly string[];
  readonly points: string;
} {
  const ids = String(search.copied ?? '')
    .split(',')
    .filter((id) => /^[1-9]\d{0,14}$/.test(id));
  const points = String(search.points ?? '');
  return { ids, points: arePoints(points) ? points : '' };
}

/** The form for a new rule of these listings. */
export function scopedDraft(scope: AddressScope): Partial<RuleDraft> {
  return narrowed(BLANK_DRAFT, scope);
}

/** The form for a copy of a rule that prices these listings alone, with all its minimum margins raised by some points. */
export function copiedDraft(rule: Rule, scope: AddressScope, points: string): RuleDraft {
  const draft = draftOf(rule);
  const names = Object.keys(LABELS).flatMap((name) => labelsIn(scope[name as keyof typeof LABELS]));
  return {
    ...draft,
    ...narrowed(draft, scope),
    name: [rule.name, names.join(', ')]
      .filter((part) => part !== '')
      .join(': ')
      .slice(0, 200),
    minimumMargin: raised(draft.minimumMargin, points),
    marketplaceMargins: Object.fromEntries(
      Object.entries(draft.marketplaceMargins).map(([channel, margin]) => [channel, raised(margin, points)]),
    ),
    isActive: true,
  };
}

/** Whether these are percentage points that a margin can be raised by; blank is none. */
export function arePoints(text: string): boolean {
  return /^(\d{1,2}([.,]\d{1,2})?)?$/.test(text.trim());
}

/** "15" and "3" are "18". In hundredths: 0.1 and 0.2 have no exact sum. */
function raised(margin: string, points: string): string {
  const hundredths = (text: string): number => Math.round(Number(text.replace(',', '.')) * 100);
  return String((hundredths(margin) + hundredths(points.trim())) / 100);
}

function narrowed(
  draft: RuleDraft,
  scope: AddressScope,
): Pick<RuleDraft, 'marketplace' | 'fulfillmentType' | 'scope'> {
  const labels = Object.entries(LABELS).flatMap(([name, field]) => {
    const chosen = labelsIn(scope[name as keyof typeof LABELS]);
    return chosen.length === 0 ? [] : [[field, chosen] as const];
  });
  return {
    marketplace: scope.marketplace ?? draft.marketplace,
    fulfillmentType: scope.fulfillment ?? draft.fulfillmentType,
    scope: {
      ...draft.scope,
      ...Object.fromEntries(labels),
      // One marketplace and several exclude each other.
      ...(scope.marketplace !== undefined && { marketplaces: [] }),
    },
  };
}
