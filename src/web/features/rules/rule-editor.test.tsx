import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ListedRule } from '#contract/rules.ts';
import { RULE_TEMPLATES } from '#domain/lines/templates.ts';
import { aPreview } from '#tests/builders/rule-views.ts';
import { aUser, refusal } from '#tests/support/fake-api.ts';
import { openRules, ruleEditor, SUMMER, untilText } from '#tests/support/fake-rules.tsx';
import { someSettings } from '#tests/support/settings-screen.tsx';

// Preloaded: its first import is slow.
beforeAll(() => import('./rules-page.tsx'));
afterEach(() => vi.unstubAllGlobals());

describe('the first rule', () => {
  test('starts from the recommended template first, prefilled with its lines', async () => {
    const { user } = openRules('/rules', []);
    await untilText('Your first rule', 'h2');
    const [first] = screen.getAllByRole('link', { name: /^Start with this/ });
    if (first === undefined) throw new Error('there is no way to start');
    await user.click(first);
    const form = await ruleEditor();
    expect(form.getByLabelText<HTMLInputElement>('Name').value).toBe(RULE_TEMPLATES[0].name);
    expect(form.getByLabelText<HTMLInputElement>('Min. Margin %').value).toBe('15');
  });

  test('starts from a strategy, prefilled', async () => {
    const { user } = openRules('/rules', []);
    await untilText('Your first rule', 'h2');
    await user.click(screen.getByRole('link', { name: /Beat the lowest competitor, keep 15%/ }));
    const form = await ruleEditor();
    expect(form.getByLabelText<HTMLInputElement>('Min. Margin %').value).toBe('15');
    expect(form.getByRole<HTMLInputElement>('radio', { name: /^Beat Competitor/ }).checked).toBe(true);
    expect(form.getByText(/Competitor \$16\.00: your price is \$15\.99\./)).toBeTruthy();
  });
});

describe('the editor', () => {
  test('creates a rule from the form; a blank margin is 0', async () => {
    const { user, calls, router } = openRules('/rules/new', [], {
      'POST /api/rules': { status: 201, body: SUMMER },
    });
    const form = await ruleEditor();
    await user.type(form.getByLabelText('Name'), 'Summer');
    await user.click(form.getByRole('button', { name: 'Create rule' }));
    await screen.findByText('Rule created');
    expect(calls('POST /api/rules')).toEqual([
      expect.objectContaining({
        name: 'Summer',
        minimumMargin: '0',
        competitorOffset: null,
        marketplace: null,
      }),
    ]);
    await waitFor(() => expect(router.state.location.pathname).toBe('/rules'));
  });

  test('copies the rule of some listings for them alone, with a margin raised by points', async () => {
    const { user, calls } = openRules('/rules/new?supplier=Acme', [SUMMER], {
      'GET /api/listings/rules?supplier=Acme': {
        body: { rules: [{ rule: { id: SUMMER.id, name: SUMMER.name }, listings: 40 }] },
      },
      'POST /api/rules': { status: 201, body: SUMMER },
    });
    const form = await ruleEditor();
    await user.type(form.getByLabelText(/points/), '3');
    await user.click(await form.findByRole('button', { name: `Copy ${SUMMER.name} for these listings` }));
    expect(form.getByLabelText<HTMLInputElement>('Min. Margin %').value).toBe('18');
    await user.click(form.getByRole('button', { name: 'Create rule' }));
    await screen.findByText('Rule created');
    expect(calls('POST /api/rules')).toEqual([
      expect.objectContaining({
        minimumMargin: '18',
        segment: expect.objectContaining({ suppliers: ['Acme'] }),
      }),
    ]);
  });

  test('offers the next rule of these listings once one of them is copied, with the same points', async () => {
    const of = ({ id, name }: ListedRule) => ({ rule: { id, name }, listings: 40 });
    const other = { ...SUMMER, id: '8', name: 'Autumn' };
    const { user, router } = openRules('/rules/new?supplier=Acme', [SUMMER, other], {
      'GET /api/listings/rules?supplier=Acme': { body: { rules: [of(SUMMER), of(other)] } },
      'POST /api/rules': { status: 201, body: { ...SUMMER, id: '9' } },
    });
    const form = await ruleEditor();
    await user.type(form.getByLabelText(/points/), '3');
    await user.click(await form.findByRole('button', { name: `Copy ${SUMMER.name} for these listings` }));
    await user.click(form.getByRole('button', { name: 'Create rule' }));
    await waitFor(() => expect(router.state.location.searchStr).toContain('points=3'));
    const next = await ruleEditor();
    expect(next.getByLabelText<HTMLInputElement>(/points/).value).toBe('3');
    const copies = await next.findAllByRole('button', { name: /^Copy / });
    expect(copies.map((button) => button.getAttribute('aria-label'))).toEqual([
      'Copy Autumn for these listings',
    ]);
  });

  test('can require prices that are never higher on Walmart or Amazon, also for a fixed margin', async () => {
    const { user, calls } = openRules('/rules/new?start=fixed', [], {
      'POST /api/rules': { status: 201, body: SUMMER },
    });
    const form = await ruleEditor();
    await user.click(form.getByRole('button', { name: 'More options' }));
    await user.click(form.getByRole('checkbox', { name: /^Never higher on Walmart or Amazon/ }));
    await user.click(form.getByRole('button', { name: 'Create rule' }));
    await screen.findByText('Rule created');
    expect(calls('POST /api/rules')).toEqual([expect.objectContaining({ refuseCrossChannel: true })]);
  });

  describe('with lines', () => {
    const lines = 'winning: hold\notherwise: own price';
    const rule = { ...SUMMER, lines, targetMargin: '35.00', onlySameShipping: false };
    const openLines = async () => {
      const opened = openRules(`/rules/${SUMMER.id}`, [rule], {
        [`PUT /api/rules/${SUMMER.id}`]: { status: 200, body: rule },
      });
      return { ...opened, form: await ruleEditor() };
    };

    test('as text, says where one is not understood, and goes to rows only once it is', async () => {
      const { user, calls, form } = await openLines();
      await user.click(form.getByRole('tab', { name: 'Text' }));
      const text = form.getByLabelText<HTMLTextAreaElement>('Lines as text');
      expect(text.value).toBe(lines);
      const canLower = () => form.queryByText('Your own price can be below the current one') !== null;
      // The winning price is held before the line to the own price.
      expect(canLower()).toBe(false);
      await user.clear(text);
      await user.paste('losing: hold\nhours 2 to 6: own price');
      expect(canLower()).toBe(true);
      await user.clear(text);
      await user.paste(lines);
      await user.type(text, '{enter}$1 abov box');
      expect(form.getByText(/^Line 3, character 4, "abov"/)).toBeTruthy();
      await user.click(form.getByRole('tab', { name: 'Rows' }));
      expect(form.getByLabelText<HTMLTextAreaElement>('Lines as text').value).toBe(`${lines}\n$1 abov box`);
      await user.click(form.getByRole('button', { name: 'Save rule' }));
      expect(calls(`PUT /api/rules/${SUMMER.id}`)).toEqual([]);
      await user.clear(text);
      await user.type(text, 'alone: target mar');
      await user.click(form.getByRole('option', { name: 'margin' }).closest('div') as HTMLElement);
      await user.click(form.getByRole('button', { name: 'Save rule' }));
      await waitFor(() => expect(calls(`PUT /api/rules/${SUMMER.id}`)).toHaveLength(1));
      const [sent] = calls(`PUT /api/rules/${SUMMER.id}`);
      expect(sent).toMatchObject({ lines: 'alone: target margin', targetMargin: '35' });
      expect(sent).not.toHaveProperty('onlySameShipping');
    });

    test('as rows that are added, moved by keys, duplicated and removed, with the focus on them', async () => {
      const { user, form } = await openLines();
      const written = () =>
        form.getAllByRole('listitem', { name: /^Line \d/ }).map((row) => row.getAttribute('aria-label'));
      expect(written()).toEqual(['Line 1: winning: hold', 'Line 2: own price']);
      await user.click(form.getByRole('button', { name: 'Add a line' }));
      expect(written()[2]).toBe('Line 3: 4% under the lowest');
      const row = within(form.getByRole('listitem', { name: /^Line 3/ }));
      expect(document.activeElement?.closest('li')?.getAttribute('aria-label')).toMatch(/^Line 3/);
      await user.clear(row.getByLabelText('Amount'));
      expect(row.getByText(/^Line 3, character/)).toBeTruthy();
      await user.type(row.getByLabelText('Amount'), '5');
      await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
      expect(written()[1]).toBe('Line 2: 5% under the lowest');
      expect(document.activeElement).toBe(
        within(form.getByRole('listitem', { name: /^Line 2/ })).getByLabelText('Amount'),
      );
      await user.click(form.getByRole('button', { name: 'Duplicate line 2' }));
      await user.click(form.getByRole('button', { name: 'Remove line 1' }));
      expect(written()).toEqual([
        'Line 1: 5% under the lowest',
        'Line 2: 5% under the lowest',
        'Line 3: own price',
      ]);
      expect(document.activeElement?.closest('li')?.getAttribute('aria-label')).toMatch(/^Line 1/);
      await user.click(form.getByRole('tab', { name: 'Text' }));
      expect(form.getByLabelText<HTMLTextAreaElement>('Lines as text').value).toBe(
        '5% under the lowest\n5% under the lowest\notherwise: own price',
      );
    });
  });

  test('starts from a template, the recommended one first', async () => {
    const { user, calls } = openRules('/rules/new', [], {
      'GET /api/user': { body: aUser({ role: 'admin' }) },
      'GET /api/rules': { body: { rules: [], timeZone: null } },
      'POST /api/rules/preview': (body) => {
        const { lines } = (body as { rule: { lines: string | null } }).rule;
        return lines?.includes('raise') === true
          ? refusal(400, 'validation_failed', 'No.', { lines: 'No.' })
          : { body: aPreview() };
      },
      'POST /api/rules': { status: 201, body: SUMMER },
    });
    const form = await ruleEditor();
    await user.click(form.getByRole('button', { name: /^Start from a template/ }));
    const names = () =>
      form.getAllByRole('button', { name: /^Use / }).map((use) => use.getAttribute('aria-label'));
    expect(names()).toEqual([
      'Use Back up at night',
      'Use Win and hold',
      'Use Win and climb',
      'Use Always back up',
    ]);
    expect(await form.findByText('Not usable yet: No.')).toBeTruthy();
    expect(form.getByText('About 3.5 changes a day per listing in simulated markets.')).toBeTruthy();
    const isOff = (name: string) => form.getByRole<HTMLButtonElement>('button', { name }).disabled;
    expect(isOff('Use Win and climb')).toBe(true);
    expect(isOff('Use Back up at night')).toBe(false);
    expect(await form.findByText(/^Times are in UTC until you set the time zone/)).toBeTruthy();
    expect(form.getByRole('link', { name: 'Settings' }).getAttribute('href')).toBe('/settings');
    await waitFor(() => expect(form.getAllByText('1 of 1 prices would change.')).toHaveLength(3));
    await user.click(form.getByRole('button', { name: 'Use Win and hold' }));
    expect(document.activeElement).toBe(form.getByLabelText('Name'));
    expect(form.getByText('Rules of the marketplaces')).toBeTruthy();
    expect(form.queryByText('Your own price can be below the current one')).toBeNull();
    await user.click(form.getByRole('button', { name: 'Create rule' }));
    await screen.findByText('Rule created');
    expect(calls('POST /api/rules')).toEqual([
      expect.objectContaining({
        name: 'Win and hold',
        minimumMargin: '15',
        targetMargin: '35',
        lines: expect.stringMatching(/^alone: target margin\nwinning: hold\n/),
      }),
    ]);
  });

  describe('which listings', () => {
    const crowded = {
      matching: 412,
      deciding: 0,
      own: 0,
      others: [{ rule: { id: '1', name: 'Summer' }, listings: 412, because: 'marketplace' }],
      appliesNow: true,
    };
    const free = { ...crowded, deciding: 412, others: [] };

    test('are counted with every edit, and a priority makes the effect visible', async () => {
      const { user, calls } = openRules('/rules/new', [SUMMER], {
        'POST /api/rules/scope': (body) => {
          const { priority } = (body as { rule: { priority: number | null } }).rule;
          return { body: priority === 1 ? free : crowded };
        },
        'POST /api/rules': { status: 201, body: SUMMER },
      });
      const form = await ruleEditor();
      await form.findByText('Matches 412 listings, prices 0 of them.');
      const [item] = form.getAllByText(/^412 go to/);
      expect(item?.textContent).toBe('412 go to Summer, because it is set for one marketplace.');
      expect(form.getByRole('link', { name: 'Summer' }).getAttribute('href')).toBe('/rules/1');
      const [offer] = form.getAllByRole('button', { name: 'Give it priority 1' });
      await user.click(offer as HTMLElement);
      expect(document.activeElement).toBe(form.getByRole('button', { name: 'Which listings' }));
      await form.findByText('Matches 412 listings, prices 412 of them.');
      expect(form.queryByRole('button', { name: 'Give it priority 1' })).toBeNull();
      expect(form.getByText('All listings on every marketplace, priority 1.')).toBeTruthy();
      await user.type(form.getByLabelText('Name'), 'Mine');
      await user.click(form.getByRole('button', { name: 'Create rule' }));
      await screen.findByText('Rule created');
      expect(calls('POST /api/rules')).toEqual([expect.objectContaining({ priority: 1 })]);
    });

    test('are chosen from what exists, and a wrong value unfolds its field and is kept', async () => {
      const { user, calls } = openRules('/rules/1', undefined, {
        'GET /api/listings/labels?of=brand': {
          body: { labels: [{ label: 'Acme', count: 31 }], isCut: false, none: 2 },
        },
        'PUT /api/rules/1': refusal(400, 'validation_failed', 'No.', {
          'segment.brands': 'No such brand.',
        }),
      });
      const form = await ruleEditor();
      const block = form.getByRole('button', { name: 'Which listings' });
      await user.click(block);
      await user.click(form.getByRole('button', { name: 'Brands Any brand' }));
      await user.click(await form.findByRole('checkbox', { name: 'Acme' }));
      expect(form.getByText('31')).toBeTruthy();
      expect(form.getByText('All listings on every marketplace, brand Acme.')).toBeTruthy();
      const windows = form.getByLabelText<HTMLTextAreaElement>('Days and hours');
      await user.type(windows, 'mornings');
      await user.click(block);
      await user.click(form.getByRole('button', { name: 'Save rule' }));
      expect(await form.findByText(/^Enter days and times such as/)).toBeTruthy();
      expect(block.getAttribute('aria-expanded')).toBe('true');
      expect(windows.value).toBe('mornings');
      expect(calls('PUT /api/rules/1')).toEqual([]);
      await user.clear(windows);
      await user.click(form.getByRole('button', { name: 'Save rule' }));
      expect(await form.findByText('No such brand.')).toBeTruthy();
      expect(form.getByRole('button', { name: 'Brands Acme' })).toBeTruthy();
    });
  });

  describe('with hours, days or dates', () => {
    const NIGHTS = 'hours 22 to 4: own price\nhold';
    const openNights = (role: 'admin' | 'user', timeZone: string | null) => {
      let zone = timeZone;
      return openRules('/rules/1', undefined, {
        'GET /api/user': { body: aUser({ role }) },
        'GET /api/rules': () => ({ body: { rules: [{ ...SUMMER, lines: NIGHTS }], timeZone: zone } }),
        'GET /api/settings': { body: someSettings({}) },
        'PUT /api/settings': (body) => {
          const { timeZone: reported } = body as { timeZone: string };
          zone = reported;
          return { body: someSettings({ timeZone: reported }) };
        },
        'PUT /api/rules/1': { body: SUMMER },
      });
    };

    test('names the time zone, and saves at once where one is set', async () => {
      const { user, calls } = openNights('user', 'America/New_York');
      const form = await ruleEditor();
      expect(form.getByText('Times are in America/New_York.')).toBeTruthy();
      await user.click(form.getByRole('button', { name: 'Which listings' }));
      await user.type(form.getByLabelText('Days and hours'), 'mon-fri 08:00-18:00');
      const scope = 'All listings on every marketplace, mon-fri 08:00-18:00 in America/New_York.';
      expect(form.getByText(scope)).toBeTruthy();
      await user.click(form.getByRole('button', { name: 'Save rule' }));
      await waitFor(() => expect(calls('PUT /api/rules/1')).toHaveLength(1));
    });

    test('asks an administrator for the time zone first where none is set, that of the browser filled in', async () => {
      const { user, calls } = openNights('admin', null);
      const form = await ruleEditor();
      expect(form.getByText(/^Times are in UTC until you set the time zone/)).toBeTruthy();
      await user.click(form.getByRole('button', { name: 'Save rule' }));
      const dialog = within(
        await screen.findByRole('alertdialog', { name: 'In which time zone is your store?' }),
      );
      const zone = dialog.getByLabelText<HTMLInputElement>('Time zone');
      expect(zone.value).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
      const save = dialog.getByRole('button', { name: 'Save time zone and rule' });
      for (const [written, problem] of [
        ['nowhere', /^Enter a time zone such as/],
        ['Asia/Tokyo', null],
      ] as const) {
        await user.clear(zone);
        await user.type(zone, written);
        await user.click(save);
        if (problem !== null) expect(await dialog.findByText(problem)).toBeTruthy();
      }
      await waitFor(() => expect(calls('PUT /api/rules/1')).toHaveLength(1));
      expect(calls('PUT /api/settings')).toEqual([{ ...someSettings({}), timeZone: 'Asia/Tokyo' }]);
    });

    test('asks a user, who cannot set it, whether UTC is meant', async () => {
      const { user, calls } = openNights('user', null);
      const form = await ruleEditor();
      await user.click(form.getByRole('button', { name: 'Save rule' }));
      const dialog = within(await screen.findByRole('alertdialog', { name: /times in UTC/ }));
      expect(calls('PUT /api/rules/1')).toEqual([]);
      await user.click(dialog.getByRole('button', { name: 'Save rule' }));
      await waitFor(() => expect(calls('PUT /api/rules/1')).toHaveLength(1));
    });
  });

  test('turns a strategy into lines that decide the same', async () => {
    const { user, calls } = openRules('/rules/1', undefined, { 'PUT /api/rules/1': { body: SUMMER } });
    const form = await ruleEditor();
    await user.click(form.getByRole('tab', { name: 'Lines' }));
    await user.click(form.getByRole('button', { name: 'Turn into lines' }));
    await user.click(form.getByRole('button', { name: 'Save rule' }));
    await waitFor(() => expect(calls('PUT /api/rules/1')).toHaveLength(1));
    expect(calls('PUT /api/rules/1')[0]).toMatchObject({
      lines: 'alone: hold\notherwise: $0.05 under the lowest',
      onlySameShipping: true,
    });
  });

  test('Dynamic Pricing says what it does, and hides options it would ignore', async () => {
    const { user } = openRules('/rules/new');
    const form = await ruleEditor();
    await user.click(form.getByRole('button', { name: 'More options' }));
    expect(form.getByLabelText('No competitor')).toBeTruthy();
    await user.click(form.getByRole('radio', { name: /^Dynamic Pricing/ }));
    expect(form.queryByLabelText('No competitor')).toBeNull();
    expect(form.getByLabelText('Competitor is below your margin floor')).toBeTruthy();
    expect(form.getByText(/Learning from sales is not available yet\.$/)).toBeTruthy();
  });

  test('without competitor data, one press selects another strategy', async () => {
    const { user, calls } = openRules('/rules/new', [], {
      'POST /api/rules': { status: 201, body: SUMMER },
    });
    const form = await ruleEditor();
    expect(form.queryByRole('button', { name: 'Use Fixed Margin' })).toBeNull();
    await user.selectOptions(form.getByLabelText('Marketplace'), 'Etsy');
    expect(form.getByText(/^Etsy does not share competitor offers\./)).toBeTruthy();
    await user.click(form.getByRole('button', { name: 'Include other channels' }));
    expect(form.getByText('Other channels are included.')).toBeTruthy();
    await user.click(form.getByRole('button', { name: 'Use Fixed Margin' }));
    expect(form.queryByText(/^Etsy does not share/)).toBeNull();
    await user.type(form.getByLabelText('Name'), 'Etsy');
    await user.click(form.getByRole('button', { name: 'Create rule' }));
    await screen.findByText('Rule created');
    expect(calls('POST /api/rules')).toEqual([
      expect.objectContaining({ strategy: 'Fixed Margin', marketplace: 'etsy' }),
    ]);
  });

  test('on eBay it shows how reliable the competitors are', async () => {
    const { user } = openRules('/rules/new', []);
    const form = await ruleEditor();
    await user.selectOptions(form.getByLabelText('Marketplace'), 'eBay');
    expect(form.getByText(/^On eBay, competitors are found by searching/)).toBeTruthy();
  });

  test('shows errors at their fields, also folded ones, and sends nothing', async () => {
    const { user, calls } = openRules('/rules/1');
    const form = await ruleEditor();
    await user.click(form.getByRole('button', { name: 'More options' }));
    await user.type(form.getByLabelText('Minimum number of ratings'), 'many');
    await user.click(form.getByRole('button', { name: 'More options' }));
    await user.clear(form.getByLabelText('Name'));
    await user.click(form.getByRole('button', { name: 'Save rule' }));
    expect(await form.findByText('Give the rule a name')).toBeTruthy();
    expect(form.getByText('Expected a whole number of ratings')).toBeTruthy();
    expect(form.getByRole('button', { name: 'More options' }).getAttribute('aria-expanded')).toBe('true');
    await waitFor(() => expect(document.activeElement).toBe(form.getByLabelText('Name')));
    expect(calls('PUT /api/rules/1')).toEqual([]);
  });

  test('keeps the typed text when the server rejects it, with the message at the field', async () => {
    const taken = refusal(400, 'validation_failed', 'Taken.', { name: 'Another rule is named "Winter"' });
    const { user } = openRules('/rules/1', undefined, { 'PUT /api/rules/1': taken });
    const form = await ruleEditor();
    const name = form.getByLabelText<HTMLInputElement>('Name');
    await user.clear(name);
    await user.type(name, 'Winter');
    await user.click(form.getByRole('button', { name: 'Save rule' }));
    expect(await form.findByText('Another rule is named "Winter"')).toBeTruthy();
    expect(name.value).toBe('Winter');
    expect(name.getAttribute('aria-invalid')).toBe('true');
  });

  describe('when the rule was saved elsewhere after it was opened', () => {
    const stale = refusal(409, 'conflict', 'Changed.', { version: 'Changed (Ann, just now).' });
    const elsewhere: ListedRule = { ...SUMMER, version: 4, minimumMargin: '12.00' };
    const openConflict = async () => {
      let isSaved = false;
      const screenOf = openRules('/rules/1', undefined, {
        'GET /api/rules': () => ({ body: { rules: [isSaved ? elsewhere : SUMMER], timeZone: null } }),
        'PUT /api/rules/1': (body) => {
          if ((body as { version: number }).version === 4) return { body: elsewhere };
          isSaved = true;
          return stale;
        },
      });
      const form = await ruleEditor();
      await screenOf.user.type(form.getByLabelText('Name'), ' 2');
      await screenOf.user.click(form.getByRole('button', { name: 'Save rule' }));
      await waitFor(() =>
        expect(form.getByRole<HTMLButtonElement>('button', { name: 'Keep mine' }).disabled).toBe(false),
      );
      return { ...screenOf, form };
    };

    test('both versions are next to the buttons, which stay in sight', async () => {
      const { form } = await openConflict();
      expect(form.getByRole('alert').textContent).toContain('Changed (Ann, just now)');
      const rows = form.getAllByRole('row').slice(1);
      expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
        ['Name', 'Summer 2', 'Summer'],
        ['Min. Margin %', '15', '12'],
      ]);
      expect(form.getByRole('alert').closest('.sticky')).toBeTruthy();
    });

    test('the saved rule can be loaded', async () => {
      const { form, user, calls } = await openConflict();
      await user.click(form.getByRole('button', { name: 'Load the saved rule' }));
      expect(form.getByLabelText<HTMLInputElement>('Name').value).toBe('Summer');
      expect(calls('PUT /api/rules/1')).toEqual([expect.objectContaining({ version: 3, name: 'Summer 2' })]);
    });

    test('the typed text can be kept', async () => {
      const { form, user, calls } = await openConflict();
      await user.click(form.getByRole('button', { name: 'Keep mine' }));
      await screen.findByText('Rule saved');
      expect(calls('PUT /api/rules/1').at(-1)).toMatchObject({ version: 4, name: 'Summer 2' });
    });
  });

  test('shows what the stored rule does now next to what the draft would do', async () => {
    const decidedBy = { ...SUMMER.decidedBy, notRead: 4 };
    openRules('/rules/1', [{ ...SUMMER, decidedBy, changesInDay: 31 }]);
    const form = await ruleEditor();
    const stored = form.getByText('As saved:').parentElement;
    expect([...(stored?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
      'As saved:',
      'Not read 4',
      '0% at margin floor',
      '31 price changes in 24 hours',
    ]);
  });

  test('asks before typed text is lost', async () => {
    const { user, router } = openRules('/rules/1');
    const form = await ruleEditor();
    await user.type(form.getByLabelText('Name'), '!');
    await user.keyboard('{Escape}');
    const question = within(await screen.findByRole('alertdialog', { name: 'Leave without saving?' }));
    await user.click(question.getByRole('button', { name: 'Cancel' }));
    expect(form.getByLabelText<HTMLInputElement>('Name').value).toBe('Summer!');
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Discard changes' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/rules'));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('a deleted rule shows a message, with the remaining rules', async () => {
    openRules('/rules/99');
    expect(await screen.findByText('This rule no longer exists')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'See all rules' }).getAttribute('href')).toBe('/rules');
  });

  test('has the address it had as a dialog, too', async () => {
    const { router } = openRules('/rules?rule=1');
    await ruleEditor();
    expect(router.state.location.href).toBe('/rules/1');
  });
});

describe('the preview', () => {
  test('shows counts, samples and changes, and its token is sent with the save', async () => {
    const { user, calls } = openRules('/rules/1', undefined, {
      'POST /api/rules/preview': {
        body: aPreview({ takenFrom: [{ rule: { id: '2', name: 'Winter' }, listings: 1 }] }),
      },
      'PUT /api/rules/1': { body: SUMMER },
    });
    const form = await ruleEditor();
    expect(await form.findByText('1 listing, just now')).toBeTruthy();
    expect(form.getByText('Takes over 1 listing from "Winter".')).toBeTruthy();
    expect(form.getByText(/^Beat Corner Store/, { selector: 'p' })).toBeTruthy();
    await user.click(form.getByRole('tab', { name: 'Falls 1' }));
    expect(form.getByText('$17.99')).toBeTruthy();
    expect(form.getByText('Margin 35.0% to 29.4%')).toBeTruthy();
    expect(calls('POST /api/rules/preview')).toEqual([
      { id: '1', rule: expect.objectContaining({ minimumMargin: '15' }) },
    ]);
    await user.type(form.getByLabelText('Name'), ' renamed');
    await user.click(form.getByRole('button', { name: 'Save rule' }));
    await screen.findByText('Rule saved');
    expect(calls('PUT /api/rules/1')).toEqual([expect.objectContaining({ previewToken: 'token-1' })]);
  });

  test('follows an edit, keeps the last result while it loads, and the old token is not sent with the save', async () => {
    const { user, calls } = openRules('/rules/1', undefined, {
      'POST /api/rules/preview': { body: aPreview() },
      'PUT /api/rules/1': { body: SUMMER },
    });
    const form = await ruleEditor();
    await form.findByText('1 listing, just now');
    await user.clear(form.getByLabelText('Min. Margin %'));
    await user.type(form.getByLabelText('Min. Margin %'), '20');
    expect(form.getByText('Checking your listings...')).toBeTruthy();
    expect(form.getByText('1 price falls (1 by 10% or more), 0 rise, 0 stay.')).toBeTruthy();
    await user.click(form.getByRole('button', { name: 'Save rule' }));
    await screen.findByText('Rule saved');
    expect(calls('PUT /api/rules/1')[0]).not.toHaveProperty('previewToken');
  });

  test('that is outdated is reported above the form, which stays, and is read again', async () => {
    const { user, calls } = openRules('/rules/1', undefined, {
      'POST /api/rules/preview': { body: aPreview() },
      'PUT /api/rules/1': refusal(409, 'conflict', 'Look again.', { previewToken: 'moved' }),
    });
    const form = await ruleEditor();
    await form.findByText('1 listing, just now');
    await user.click(form.getByRole('button', { name: 'Save rule' }));
    expect(await form.findByText('The preview is out of date')).toBeTruthy();
    expect(form.getByLabelText('Name')).toBeTruthy();
    await waitFor(() => expect(calls('POST /api/rules/preview')).toHaveLength(2));
  });

  test('without listings says why', async () => {
    const none = { listings: 0, changes: 0, lowered: 0, takenFrom: [], moves: [], samples: [] };
    openRules('/rules/1', undefined, {
      'POST /api/rules/preview': { body: aPreview(none) },
    });
    const form = await ruleEditor();
    expect(await form.findByText('This rule prices no listings.')).toBeTruthy();
  });
});
