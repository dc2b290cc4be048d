import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import measured from '#bench/market/measured.json' with { type: 'json' };
import type { Measured } from '#bench/market/report.ts';
import { WORLDS } from '#bench/market/worlds.ts';
import { RULE_TEMPLATES, type RuleTemplate } from '#domain/lines/templates.ts';

const { lines, policies, leads }: Measured = measured;
const page = readFileSync(join(import.meta.dirname, '../../docs/testing.md'), 'utf8');
const templates: readonly RuleTemplate[] = RULE_TEMPLATES;

/** Templates of which simulated markets do not have what they ask about. */
const NOT_SIMULATED = ['Featured price', 'Sell off', 'Follow my Amazon price'];

/** The rows of the table that begins with a heading, as their cells. */
function rowsBelow(heading: string): string[][] {
  const [, after = ''] = page.split(`| ${heading} |`);
  const [table = ''] = after.split('\n\n');
  const rows = table.split('\n').slice(2);
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('the stored figures of simulated markets', () => {
  test('are of the lines that templates have, in all worlds', () => {
    for (const { name, lines: text } of templates) expect([name, lines[name]]).toEqual([name, text]);
    for (const { worlds } of Object.values(policies))
      expect(Object.keys(worlds)).toEqual(WORLDS.map(({ name }) => name));
  });

  test('say how often a template changes a price', () => {
    for (const { name, changesADay } of templates) {
      const expected = NOT_SIMULATED.includes(name) ? null : policies[name]?.changesPerDay;
      expect([name, changesADay]).toEqual([name, expected]);
    }
  });

  test('are those on the page', () => {
    const all = rowsBelow('Policy | Of the bound | Changes');
    expect(all.length).toBeGreaterThan(5);
    for (const [name = '', ...cells] of all) {
      const { ofBound: [mean = 0, low = 0, high = 0] = [], changesPerDay = 0 } = policies[name] ?? {};
      const share = `${mean.toFixed(3)} (${low.toFixed(2)} - ${high.toFixed(2)})`;
      expect([name, ...cells]).toEqual([name, share, changesPerDay.toFixed(2)]);
    }
    const names = /\| World \| (.+) \|\n/.exec(page)?.[1]?.split(' | ') ?? [];
    const byWorld = rowsBelow(`World | ${names.join(' | ')}`);
    expect(byWorld.map(([world]) => world)).toEqual(WORLDS.map(({ name }) => name));
    for (const [world = '', ...cells] of byWorld)
      expect([world, ...cells]).toEqual([
        world,
        ...names.map((name) => policies[name]?.worlds[world]?.toFixed(3)),
      ]);
  });

  test('give the lead of the recommended template that the page names', () => {
    const text = (name: string): string => {
      const [mean, low, high] = (leads[name] ?? []).map((share) => (share * 100).toFixed(1));
      return `${mean}% (${low} to ${high}) more than ${name}`;
    };
    expect(page).toContain(text('Beat by $1.00'));
    expect(page).toContain(text('Beat by $0.01'));
  });

  test('recommend the template that earned most', () => {
    const share = (name: string): number => policies[name]?.ofBound[0] ?? 0;
    const best = templates.toSorted((a, b) => share(b.name) - share(a.name))[0];
    expect(best?.name).toBe(templates[0]?.name);
  });
});
