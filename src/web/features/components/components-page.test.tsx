import { readdirSync, readFileSync } from 'node:fs';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { serveApi } from '#tests/support/fake-api.ts';
import { renderApp } from '#tests/support/render-app.tsx';
// Preloaded: its first import is slow on a busy machine.
import './components-page.tsx';

const HERE = 'src/web/features/components';

/** Parts of others, and what cannot be shown without data of a shop. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'changes-callout.tsx': 'shown after a live change of a listing',
  'chart/bar-chart.tsx': 'loaded by chart/charts.tsx',
  'chart/chart-frame.tsx': 'the frame of every chart',
  'chart/chart-table.tsx': 'opened in a chart',
  'chart/plot-area.tsx': 'axes of a chart',
  'chart/time-chart.tsx': 'loaded by chart/charts.tsx',
  'chart/time-marks.tsx': 'layers of a chart',
  'combobox-list.tsx': 'the list of a combobox',
  'dialog-body.tsx': 'the body of a dialog',
  'export-menu.tsx': 'exports a list of the server',
  'field.tsx': 'the frame of every field',
  'list-foot.tsx': 'the frame of a pager',
  'live-regions.tsx': 'in the frame of every page, invisible',
  'query-view.tsx': 'states of a request, without a look of its own',
  'second-factor-of-form.tsx': 'the field of a form',
  'shown-secret.tsx': 'takes the focus of the dialog that shows it',
  'time-zone-dialog.tsx': 'asks before something is saved on the server',
  'toaster.tsx': 'in the frame of every page, opened by a sample',
  'undo-changes-dialog.tsx': 'undoes changes of the server',
  'undone-callout.tsx': 'the result of an undo',
};

test('every shared component is on the page, or named with the reason why not', () => {
  const samples = readdirSync(HERE)
    .filter((file) => !file.includes('.test.'))
    .map((file) => readFileSync(`${HERE}/${file}`, 'utf8'))
    .join('\n');
  const components = ['', 'chart/'].flatMap((folder) =>
    readdirSync(`src/web/ui/${folder}`)
      .filter((file) => file.endsWith('.tsx') && !file.includes('.test.'))
      .map((file) => folder + file),
  );
  const missing = components.filter((file) => !samples.includes(`'#web/ui/${file}'`));
  expect(missing.sort()).toEqual(Object.keys(ELSEWHERE).sort());
});

test('both themes show the same samples, without a request', async () => {
  const sent = serveApi({});
  renderApp('/dev/components');
  const [light, dark] = await Promise.all(
    ['Light', 'Dark'].map((name) => screen.findByRole('region', { name })),
  );
  expect(dark?.className).toMatch(/^dark /);
  const names = (theme: HTMLElement | undefined) =>
    within(theme ?? document.body)
      .getAllByRole('heading', { level: 3 })
      .map(({ textContent }) => textContent);
  expect(names(light)).toEqual(names(dark));
  expect(sent.filter(({ call }) => call !== 'GET /api/user')).toEqual([]);
});
