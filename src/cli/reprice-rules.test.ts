import { describe, expect, test } from 'vitest';
import { listings, offers, onlyRow, reprice, rowsOf, rules } from '#tests/support/reprice-scenario.ts';

const COMPETITOR = offers('walmart,A-1,Corner Store,14.40,0,FBM,false,2026-11-21T11:00:00Z');

describe('which rule decides', () => {
  test('of two alike the first in the file', async () => {
    const row = await onlyRow(rules('One,,All,Fixed Margin,15,,true\nTwo,,All,Fixed Margin,10,,true'));
    expect(row.rule).toBe('One');
  });

  test('the more specific one, though it is younger', async () => {
    const row = await onlyRow(
      rules(
        'One,,All,Fixed Margin,15,,true\nTwo,walmart,All,Fixed Margin,15,,true\nThree,walmart,fbm,Fixed Margin,15,,true',
      ),
    );
    expect(row.rule).toBe('Three');
  });

  test('never an inactive one', async () => {
    const row = await onlyRow(rules('One,,All,Fixed Margin,15,,FALSE'));
    expect(row).toMatchObject({ outcome: 'keep', rule: '', reasonCode: 'no_rule', newPrice: '' });
  });

  test("the listing's own, by its name in any case", async () => {
    const row = await onlyRow({
      ...rules('One,,All,Fixed Margin,15,,true\nTwo,,All,Fixed Margin,10,,true'),
      ...listings('A-1,Mug,14.50,FBM,,0, TWO ', ',rule'),
    });
    expect(row).toMatchObject({ rule: 'Two', newPrice: '13.34' });
  });

  test("the listing's own keeps the price while it is paused", async () => {
    const row = await onlyRow({
      ...rules('One,,All,Fixed Margin,15,,true\nTwo,,All,Fixed Margin,10,,false'),
      ...listings('A-1,Mug,14.50,FBM,,0,Two', ',rule'),
    });
    expect(row).toMatchObject({ outcome: 'keep', reasonCode: 'own_rule_paused' });
  });

  test('the one whose segment matches, by labels, own price and cost', async () => {
    const columns = ',brands,tags,ownPriceTo,costTo,priority';
    const labeled = { ...listings('A-1,Mug,14.50,FBM,,0,acme', ',brand') };
    const ruleOf = async (cells: string) => (await onlyRow({ ...rules(cells, columns), ...labeled })).rule;
    const rest = 'All,,All,Fixed Margin,15,,true,,,,,';
    const brand = 'Acme,,All,Fixed Margin,15,,true,Acme|Bluebird,,14.50,,';
    expect(await ruleOf(`${rest}\n${brand}`)).toBe('Acme');
    expect(await ruleOf(`${rest}\nTagged,,All,Fixed Margin,15,,true,,sale,,,`)).toBe('All');
    expect(await ruleOf(`${rest}\nDear,,All,Fixed Margin,15,,true,,,14.49,,`)).toBe('All');
    expect(await ruleOf(`${brand}\nAll,,All,Fixed Margin,15,,true,,,,,9`)).toBe('All');
  });

  test('only one whose schedule applies, and none without a time zone', async () => {
    const story = rules(
      'Days,,All,Fixed Margin,15,,true,1,mon-sun 00:00-24:00\nAll,,All,Fixed Margin,15,,true,,',
      ',priority,windows',
    );
    expect((await onlyRow(story, '--time-zone', 'UTC')).rule).toBe('Days');
    const result = await reprice(story);
    expect(rowsOf(result)[0]?.rule).toBe('All');
    expect(result.errors).toContain('No --time-zone given: rules with a schedule do not apply.');
  });

  test('a row of which the segment is unreadable blocks what it may have been for', async () => {
    const row = await onlyRow(
      rules('Bad,,All,Fixed Margin,15,,true,x\nAll,walmart,All,Fixed Margin,15,,true,', ',ownPriceTo'),
    );
    expect(row).toMatchObject({ outcome: 'blocked', reasonCode: 'unreadable_rule' });
  });

  test('a name that two rules share names none', async () => {
    const result = await reprice({
      ...rules('One,,All,Fixed Margin,15,,true\nONE,,All,Fixed Margin,10,,true'),
      ...listings('A-1,Mug,14.50,FBM,,0,One', ',rule'),
    });
    expect(rowsOf(result)[0]).toMatchObject({ outcome: 'blocked', reasonCode: 'unreadable_facts' });
    expect(result.errors).toContain('rule "One": is the name of more than one rule.');
  });
});

describe('what a rule says', () => {
  test.each([
    ['a margin of its own for the marketplace', 'R,,All,Fixed Margin,15,,true,20', ',marginWalmart', '15.39'],
    ['a margin for another marketplace', 'R,,All,Fixed Margin,15,,true,20', ',marginAmazon', '14.29'],
    ['no competitor: the ceiling', 'R,,All,Match Competitor,15,,true,ceiling', ',noCompetitor', '16.67'],
    ['no competitor: the floor', 'R,,All,Match Competitor,15,,true,Floor', ',No Competitor', '14.29'],
  ])('%s', async (_, cells, columns, price) => {
    const none = offers('walmart,A-1,,,,,,2026-11-21T11:00:00Z');
    expect(await onlyRow({ ...rules(cells, columns), ...none })).toMatchObject({ newPrice: price });
  });

  test.each([
    ['Match Competitor', '', '14.40'],
    ['Match Competitor', '0.05', '14.45'],
    ['Match Competitor', '-$0.05', '14.35'],
    ['Beat Competitor', '', '14.39'],
    ['Beat Competitor', '0.10', '14.30'],
    ['Beat Competitor', '-0.10', '14.30'],
    ['dynamic pricing', '', '14.40'],
  ])('%s with an offset of %j asks %s', async (strategy, offset, price) => {
    const row = await onlyRow({ ...rules(`R,,All,${strategy},10,${offset},true`), ...COMPETITOR });
    expect(row.newPrice).toBe(price);
  });

  test('a competitor below our floor: keep', async () => {
    const row = await onlyRow({
      ...rules('R,,All,Match Competitor,15,,true,keep', ',belowFloor'),
      ...offers('walmart,A-1,Corner Store,9.00,0,FBM,false,2026-11-21T11:00:00Z'),
    });
    expect(row).toMatchObject({ outcome: 'keep', reasonCode: 'competitor_below_floor' });
  });

  test('ask first: the price is a recommendation', async () => {
    const row = await onlyRow(rules('R,,All,Fixed Margin,15,,true,true', ',askFirst'));
    expect(row).toMatchObject({ outcome: 'recommend', newPrice: '14.29' });
  });
});

describe('a rule that cannot be read', () => {
  test.each([
    ['R,,All,Guess,15,,true', 'strategy "Guess": is not a known word here. Write one of: Match Competitor,'],
    ['R,,All,Fixed Margin,100,,true', 'minimumMargin "100": is not a margin. Write a number from 0 to 99.99'],
    ['R,,All,Fixed Margin,-1,,true', 'minimumMargin "-1": is not a margin.'],
    ['R,,All,Fixed Margin,,,true', 'minimumMargin "": is blank.'],
    ['R,,All,Fixed Margin,15,1e3,true', 'competitorOffset "1e3": is not an amount.'],
    ['R,,All,Fixed Margin,15,,maybe', 'isActive "maybe": is neither true nor false.'],
    ['R,target,All,Fixed Margin,15,,true', 'marketplace "target": is not a known word here.'],
    ['R,,FBX,Fixed Margin,15,,true', 'fulfillmentType "FBX": is not a known word here.'],
    [',,All,Fixed Margin,15,,true', 'name "": is blank.'],
    ['R,,All', 'has 3 cells where the header has 7.'],
  ])('%s blocks what it may have decided', async (cells, complaint) => {
    const result = await reprice(rules(cells));
    expect(result.errors).toContain('rules.csv, line 2');
    expect(result.errors).toContain(complaint);
    expect(rowsOf(result)[0]).toMatchObject({ outcome: 'blocked', reasonCode: 'unreadable_rule' });
    expect(rowsOf(result)[0]?.reason).toContain('Correct line 2 of rules.csv.');
    expect(result.code).toBe(1);
  });

  test('never hands its listings to a rule with a lower margin', async () => {
    const result = await reprice(
      rules('Low,,All,Fixed Margin,1,,true\nHigh,walmart,All,Fixed Margin,3O,,true'),
    );
    expect(rowsOf(result)[0]).toMatchObject({ outcome: 'blocked', rule: 'High' });
  });

  test('leaves alone what another rule decides first', async () => {
    const result = await reprice(rules('Good,walmart,All,Fixed Margin,15,,true\nBad,,All,Guess,15,,true'));
    expect(rowsOf(result)[0]).toMatchObject({ outcome: 'change', rule: 'Good' });
    expect(result.code).toBe(1);
  });

  test('that is inactive prices nothing', async () => {
    const result = await reprice(rules('Bad,walmart,All,Guess,15,,false\nGood,,All,Fixed Margin,15,,true'));
    expect(rowsOf(result)[0]).toMatchObject({ outcome: 'change', rule: 'Good' });
    expect(result.code).toBe(1);
  });
});
