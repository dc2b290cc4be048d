import { expect, test } from 'vitest';
import { anImport } from '#tests/support/import-screen.ts';
import { firstProblems } from '#web/ui/imports/problem-text.ts';
import { openSteps, stepToShow } from './steps.ts';

test('the first three mistakes stand in the order of the file, and dots for the rest', () => {
  const group = { column: null, fix: '', count: 2, isSecondary: false };
  const problems = [
    { ...group, problem: 'Invalid quantity "x"', firstLines: [4, 9] },
    { ...group, problem: 'Missing required fields', firstLines: [2, 12] },
  ];
  expect(firstProblems(anImport({ problems }))).toBe(
    'Line 2: Missing required fields; Line 4: Invalid quantity "x"; Line 9: Invalid quantity "x"; ...',
  );
  expect(
    firstProblems(
      anImport({
        problems: [
          { ...group, problem: 'is there twice', firstLines: [3, 5] },
          // Its rows are fine: they go in once the two above are corrected.
          {
            ...group,
            count: 9,
            problem: 'is rejected with line 3',
            firstLines: [1, 2, 4],
            isSecondary: true,
          },
        ],
      }),
    ),
  ).toBe('Line 3: the row is there twice; Line 5: the row is there twice');
});

test('a step of the address is shown only where it can be', () => {
  expect(stepToShow(anImport(), 'columns')).toBe('columns');
  expect(stepToShow(anImport(), 'report')).toBe('check');
  expect(stepToShow(anImport({ state: 'uploaded' }), 'check')).toBe('columns');
  expect(stepToShow(anImport({ state: 'done' }), 'file')).toBe('report');
  expect(openSteps(anImport({ state: 'importing' }))).toEqual(['import']);
});
