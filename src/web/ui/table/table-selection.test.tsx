import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { bar, box, bulk, drawn, opened, openThings, showing, ticked } from '#tests/support/things-screen.tsx';

afterEach(() => vi.unstubAllGlobals());

test("the header's checkbox shows the page's selection: none, some, all", async () => {
  const { user } = await openThings();
  await showing('T-001', 'T-002', 'T-003', 'T-004', 'T-005');
  const page = box('Select all rows of this page');
  await user.click(box('Select T-002'));
  expect([page.checked, page.indeterminate]).toEqual([false, true]);
  expect(bar().getByText('1 selected')).toBeTruthy();
  await user.click(page);
  expect(ticked()).toHaveLength(5);
  expect([page.checked, page.indeterminate]).toEqual([true, false]);
  await user.click(page);
  expect(ticked()).toEqual([]);
  expect(screen.queryByRole('region', { name: 'Selected rows' })).toBeNull();
});

test('Shift selects the range from the last toggled row: backwards, and in the order shown after sorting', async () => {
  const { user } = await openThings();
  await showing('T-001', 'T-002', 'T-003', 'T-004', 'T-005');
  await user.click(box('Select T-004'));
  await user.keyboard('{Shift>}');
  await user.click(box('Select T-002'));
  await user.keyboard('{/Shift}');
  expect(ticked()).toEqual(['T-002', 'T-003', 'T-004']);
  await user.click(screen.getByRole('button', { name: 'Name' }));
  await user.click(screen.getByRole('button', { name: 'Price' }));
  await showing('T-250', 'T-249', 'T-248', 'T-247', 'T-246');
  await user.click(box('Select T-249'));
  await user.keyboard('{Shift>}');
  await user.click(box('Select T-247'));
  await user.keyboard('{/Shift}');
  expect(ticked()).toEqual(['T-249', 'T-248', 'T-247']);
  expect(bar().getByText('6 selected (3 on other pages)')).toBeTruthy();
});

test('selecting a row renders its checkbox again and no cell', async () => {
  const { user } = await openThings();
  await showing('T-001', 'T-002', 'T-003', 'T-004', 'T-005');
  drawn.mockClear();
  await user.click(box('Select T-002'));
  await user.click(box('Select all rows of this page'));
  expect(ticked()).toHaveLength(5);
  expect(drawn).not.toHaveBeenCalled();
});

test('A goes from the rows to the bulk actions', async () => {
  const { user } = await openThings();
  await showing('T-001', 'T-002', 'T-003', 'T-004', 'T-005');
  await user.keyboard('a');
  expect(document.activeElement).toBe(document.body);
  await user.click(box('Select T-002'));
  await user.keyboard('a');
  expect(document.activeElement).toBe(bar().getByRole('button', { name: 'Act' }));
});

test('a range can be deselected again', async () => {
  const { user } = await openThings();
  await showing('T-001', 'T-002', 'T-003', 'T-004', 'T-005');
  await user.click(box('Select all rows of this page'));
  await user.click(box('Select T-002'));
  await user.keyboard('{Shift>}');
  await user.click(box('Select T-004'));
  await user.keyboard('{/Shift}');
  expect(ticked()).toEqual(['T-001', 'T-005']);
});

test('after the page, all matching rows are offered, and sent with the count that was shown', async () => {
  const { user } = await openThings();
  await showing('T-001', 'T-002', 'T-003', 'T-004', 'T-005');
  await user.click(box('Select all rows of this page'));
  expect(screen.getByText('All 5 on this page are selected.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Select all 250 matching this filter' }));
  expect(bar().getByText('All 250 matching selected')).toBeTruthy();
  await user.click(bar().getByRole('button', { name: 'Act' }));
  expect(bulk).toHaveBeenLastCalledWith(expect.objectContaining({ kind: 'matching', expected: 250 }));
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await showing('T-006', 'T-007', 'T-008', 'T-009', 'T-010');
  expect(ticked()).toHaveLength(5);
});

test('one row less than all matching rows leaves the rest of the page', async () => {
  const { user } = await openThings();
  await showing('T-001', 'T-002', 'T-003', 'T-004', 'T-005');
  await user.click(box('Select all rows of this page'));
  await user.click(screen.getByRole('button', { name: 'Select all 250 matching this filter' }));
  await user.click(box('Select T-003'));
  expect(ticked()).toEqual(['T-001', 'T-002', 'T-004', 'T-005']);
  expect(bar().getByText('4 selected')).toBeTruthy();
});

test('another filter ends "all that match", and warns that it may hide rows selected one by one', async () => {
  const { user } = await openThings();
  await showing('T-001', 'T-002', 'T-003', 'T-004', 'T-005');
  await user.click(box('Select T-002'));
  await user.type(screen.getByRole('searchbox'), 'T-01');
  await screen.findByText('1-5 of 10');
  expect(bar().getByText('1 selected (1 on other pages or hidden by the filter)')).toBeTruthy();
  await user.click(box('Select all rows of this page'));
  await user.click(screen.getByRole('button', { name: 'Select all 10 matching this filter' }));
  await user.click(screen.getByRole('button', { name: 'Clear search' }));
  await screen.findByText('1-5 of 250');
  expect(screen.queryByRole('region', { name: 'Selected rows' })).toBeNull();
});

test('the keyboard: rows, selection, opening, pages', async () => {
  const { user } = await openThings();
  await showing('T-001', 'T-002', 'T-003', 'T-004', 'T-005');
  await user.keyboard('jjx');
  expect(document.activeElement?.getAttribute('data-row-id')).toBe('2');
  expect(ticked()).toEqual(['T-002']);
  await user.keyboard('{ArrowDown}{ArrowDown}{Shift>}X{/Shift}');
  expect(ticked()).toEqual(['T-002', 'T-003', 'T-004']);
  await user.keyboard('k{Enter}');
  expect(opened).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ id: '3' }));
  await user.keyboard('{Escape}');
  expect(ticked()).toEqual([]);
  await user.keyboard('{Control>}a{/Control}');
  expect(ticked()).toHaveLength(5);
  await user.keyboard(']');
  await showing('T-006', 'T-007', 'T-008', 'T-009', 'T-010');
});

test('single keys are letters while the focus is in a text field', async () => {
  const { user } = await openThings();
  await showing('T-001', 'T-002', 'T-003', 'T-004', 'T-005');
  await user.type(screen.getByRole('searchbox'), 'jx]');
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('jx]');
  expect(ticked()).toEqual([]);
});
