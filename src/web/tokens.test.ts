import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** Minimum contrast by WCAG 2.2: text 4.5 (1.4.3); control edges, focus ring and marks 3.0 (1.4.11). */
const TEXT = 4.5;
const MARK = 3.0;

const SURFACES = ['canvas', 'surface', 'raised', 'hover', 'selected', 'sidebar'];
/** Behind a few words of a control: never behind a link or a state. */
const PLATES = ['fill', 'tile'];
const TEXTS = [
  'fg',
  'fg-muted',
  'link',
  'danger-text',
  'warning-text',
  'success-text',
  'strong-text',
  'info-text',
];
const SERIES = ['walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify'].map((name) => `series-${name}`);
const CHARTS = ['own', 'before', 'competitors', 'featured', 'floor'].map((name) => `chart-${name}`);
const BADGES = ['neutral', 'success', 'warning', 'danger', 'info'].map((tone) => `badge-${tone}`);

const PAIRS: readonly (readonly [foreground: string, background: string, least: number])[] = [
  ...TEXTS.flatMap((text) => SURFACES.map((surface) => [text, surface, TEXT] as const)),
  ...['border-control', 'ring'].flatMap((edge) => SURFACES.map((surface) => [edge, surface, MARK] as const)),
  ...['fg', 'fg-muted'].flatMap((text) => PLATES.map((plate) => [text, plate, TEXT] as const)),
  ...SURFACES.map((surface) => ['placeholder', surface, TEXT] as const),
  ...SERIES.map((series) => [series, 'surface', MARK] as const),
  ...CHARTS.flatMap((line) => ['surface', 'raised'].map((paper) => [line, paper, MARK] as const)),
  ...BADGES.map((badge) => [`${badge}-fg`, badge, TEXT] as const),
  ['primary-fg', 'primary', TEXT],
  ['primary-fg', 'primary-hover', TEXT],
  ['danger-fg', 'danger', TEXT],
  ['tooltip-fg', 'tooltip', TEXT],
  ...['bar-fg', 'bar-muted'].map((text) => [text, 'bar', TEXT] as const),
  ['bar-fg', 'bar-line', TEXT],
];

const COLOR = /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\(/gi;
/** Classes of the stock palette, which is emptied: they do nothing. */
const PALETTE_CLASS = /\b(?:bg|text|border|fill|stroke|outline|ring)-(?:white|black|[a-z]+-\d{2,3})\b/;

const css = readFileSync('src/web/tokens.css', 'utf8');

describe.each([
  ['light', ':root'],
  ['dark', '.dark'],
])('%s theme', (_, selector) => {
  const colors = readColors(selector);

  test.each(PAIRS)('%s on %s has at least %d : 1', (foreground, background, least) => {
    expect(contrast(colors.get(foreground), colors.get(background))).toBeGreaterThanOrEqual(least);
  });
});

test('both themes define the same colors, and no other file defines a color', () => {
  expect([...readColors('.dark').keys()]).toEqual([...readColors(':root').keys()]);
  const sources = readdirSync('src/web', { recursive: true, encoding: 'utf8' });
  const styles = sources.filter((name) => name.endsWith('.css') && name !== 'tokens.css');
  expect(styles).toContain('ui/table/table.css');
  const found = styles.flatMap((name) => readFileSync(`src/web/${name}`, 'utf8').match(COLOR) ?? []);
  expect(found).toEqual([]);
  const markup = sources.filter((name) => name.endsWith('.tsx') && !name.endsWith('.test.tsx'));
  const palette = markup.filter((name) => PALETTE_CLASS.test(readFileSync(`src/web/${name}`, 'utf8')));
  expect(palette).toEqual([]);
});

test('the calculation matches known pairs', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#0f172b', '#ffffff')).toBeCloseTo(17.83, 1);
});

function readColors(selector: string): Map<string, string> {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf('}', start));
  return new Map(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

function contrast(one: string | undefined, other: string | undefined): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance as WCAG defines it, 0 to 1. */
function luminance(hex: string | undefined): number {
  if (hex === undefined) throw new Error('no such color');
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
