import { describe, expect, test } from 'vitest';
import { type ListedRule, RuleFields } from '#contract/rules.ts';
import { aRuleView } from '#tests/builders/rule-views.ts';
import {
  BLANK_DRAFT,
  draftOf,
  fieldAt,
  formOf,
  newDraft,
  type RuleDraft,
  resolveDraft,
} from './rule-draft.ts';

const draft = (over: Partial<RuleDraft> = {}): RuleDraft => ({ ...BLANK_DRAFT, name: 'Rule', ...over });
const complaints = async (over: Partial<RuleDraft>): Promise<unknown> =>
  (await resolveDraft(draft(over), undefined, { fields: {}, shouldUseNativeValidation: false })).errors;

describe('the request body', () => {
  test.each([
    ['', '0'],
    [' 15 % ', '15'],
    ['12.5', '12.5'],
  ])('a margin of "%s" as %s', (minimumMargin, sent) => {
    expect(formOf(draft({ minimumMargin })).minimumMargin).toBe(sent);
  });

  test.each([
    ['', null],
    ['$0.20', '0.20'],
    ['+0.10', '0.10'],
    ['\u2212$1,000.50', '-1000.50'],
  ])('an offset of "%s" as %s', (competitorOffset, sent) => {
    expect(formOf(draft({ competitorOffset })).competitorOffset).toBe(sent);
  });

  test('a fixed margin has no offset, and a rule for one marketplace no other margins', () => {
    const typed = { competitorOffset: '0.20', marketplaceMargins: { ebay: '12', etsy: '' } };
    expect(formOf(draft({ ...typed, strategy: 'Fixed Margin' })).competitorOffset).toBeNull();
    expect(formOf(draft(typed)).marketplaceMargins).toEqual({ ebay: '12' });
    expect(formOf(draft({ ...typed, marketplace: 'amazon' })).marketplaceMargins).toEqual({});
  });

  test('sellers one per line, without blank lines', () => {
    const filter = { ...BLANK_DRAFT.filter, ignoreSellers: ' Bob \n\nJack\n' };
    expect(formOf(draft({ filter })).filter?.ignoreSellers).toEqual(['Bob', 'Jack']);
  });

  test('has the scope as it is stored, but no other marketplaces than the one chosen', () => {
    const { segment } = aRuleView();
    const scope = {
      segment: { ...segment, marketplaces: ['amazon', 'etsy'], ownPrice: { from: '10.00', to: null } },
      priority: 7,
      schedule: { activeFrom: '2026-11-20', activeUntil: null, windows: ['mon-fri 08:00-18:00'] },
    } satisfies Partial<ListedRule>;
    const opened = draftOf(aRuleView(scope));
    expect(formOf(opened)).toMatchObject(scope);
    expect(formOf({ ...opened, marketplace: 'ebay' }).segment?.marketplaces).toEqual([]);
  });

  test('has the scope as typed, and an error of it belongs to its field', async () => {
    const scope = { ...BLANK_DRAFT.scope, brands: ['Acme'], ownPrice: { from: '$1,000', to: ' ' } };
    const more = { priority: ' 3 ', windows: ' mon 8:00-9:00 \n\n' };
    expect(formOf(draft({ scope: { ...scope, ...more } }))).toMatchObject({
      segment: { brands: ['Acme'], ownPrice: { from: '1000', to: null } },
      priority: 3,
      schedule: { activeFrom: null, activeUntil: null, windows: ['mon 8:00-9:00'] },
    });
    const wrong = { ...scope, ownPrice: { from: '20', to: '10' }, stock: { from: 'few', to: '' } };
    expect(
      await complaints({ scope: { ...wrong, priority: '0', windows: 'late', activeFrom: 'soon' } }),
    ).toMatchObject({
      scope: {
        ownPrice: { to: { message: 'Enter a value that is not below the first' } },
        stock: { from: { message: expect.stringMatching(/whole number/) } },
        priority: { message: 'Enter a whole number from 1 to 999' },
        windows: { message: expect.stringMatching(/^Enter days and times/) },
        activeFrom: { message: expect.any(String) },
      },
    });
    expect(fieldAt('segment.brands.0')).toBe('scope.brands');
    expect(fieldAt('segment.cost')).toBe('scope.cost.from');
  });

  test('is the stored rule if nothing was changed', () => {
    const stored = aRuleView({
      competitorOffset: '-0.05',
      marketplaceMargins: { ebay: '12.50' },
      filter: {
        minRating: '90.00',
        minRatingCount: 5,
        maxHandlingDays: 2,
        ignoreSellers: ['bob'],
        fulfillmentType: 'FBM',
      },
    });
    const sent = RuleFields.parse(formOf(draftOf(stored)));
    expect(sent).toMatchObject({
      name: 'Beat everybody',
      minimumMargin: 1_500,
      competitorOffset: -5,
      marketplaceMargins: { ebay: 1_250 },
      filter: {
        minRating: 9_000,
        minRatingCount: 5,
        maxHandlingDays: 2,
        ignoreSellers: ['bob'],
        fulfillmentType: 'FBM',
      },
    });
  });
});

test('the form of a rule for one marketplace shows the effective margin there', () => {
  const stored = aRuleView({ marketplace: 'ebay', marketplaceMargins: { ebay: '20.00' } });
  expect(draftOf(stored).minimumMargin).toBe('20');
});

describe('errors', () => {
  test('are shown at their fields', async () => {
    const filter = { ...BLANK_DRAFT.filter, minRating: '101', minRatingCount: 'many', maxHandlingDays: '-1' };
    const wrong = {
      name: ' ',
      minimumMargin: 'lots',
      competitorOffset: '1.234',
      marketplaceMargins: { etsy: '100' },
    };
    expect(await complaints({ ...wrong, filter })).toMatchObject({
      name: { message: 'Give the rule a name' },
      minimumMargin: { message: 'Enter a percentage from 0 to 99.99' },
      competitorOffset: { message: 'Enter an amount such as 19.99' },
      marketplaceMargins: { etsy: { message: 'Enter a percentage from 0 to 99.99' } },
      filter: {
        minRating: { message: 'Enter a percentage from 0 to 100' },
        minRatingCount: { message: 'Expected a whole number of ratings' },
        maxHandlingDays: { message: 'Expected a whole number of days, from 0' },
      },
    });
  });

  test('about one seller are shown at the field of all sellers', () => {
    expect(fieldAt('filter.ignoreSellers.3')).toBe('filter.ignoreSellers');
    expect(fieldAt('marketplaceMargins.ebay')).toBe('marketplaceMargins.ebay');
  });

  test('are absent from a valid form', async () => {
    expect(await complaints({})).toEqual({});
  });
});

test('the templates are rules that can be saved, and an unknown one is blank', () => {
  for (const start of ['beat', 'fixed'])
    expect(RuleFields.safeParse(formOf(newDraft(start))).success).toBe(true);
  expect(newDraft('beat')).toMatchObject({ strategy: 'Beat Competitor', minimumMargin: '15' });
  expect(newDraft('toString')).toEqual(BLANK_DRAFT);
  expect(newDraft(undefined)).toEqual(BLANK_DRAFT);
});
