import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { createQueryClient } from '#web/lib/query-client.ts';
import { Combobox, type FoundOptions } from './combobox.tsx';
import { LiveRegions } from './live-regions.tsx';

type Thing = { id: string; name: string };
const THINGS: readonly Thing[] = ['Apple', 'Apricot', 'Banana'].map((name) => ({ id: name, name }));

type Find = (text: string) => Promise<FoundOptions<Thing>>;
const matching: Find = async (text) => ({
  options: THINGS.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())),
  hasMore: text === '',
});

function Picker({ find, onChoose }: { find: Find; onChoose: (thing: Thing) => void }): React.JSX.Element {
  const [chosen, setChosen] = useState<Thing | null>(null);
  return (
    <Combobox<Thing>
      label="Fruit"
      hint="What grows on trees."
      source={{ queryKey: ['fruit'], find }}
      noun={{ one: 'fruit', many: 'fruits' }}
      keyOf={({ id }) => id}
      textOf={({ name }) => name}
      value={chosen?.name ?? ''}
      onChoose={(thing) => {
        setChosen(thing);
        onChoose(thing);
      }}
    />
  );
}

function open(find: Find = matching) {
  const asked = vi.fn(find);
  const onChoose = vi.fn();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Picker find={asked} onChoose={onChoose} />
      <button type="button">Next</button>
      <LiveRegions />
    </QueryClientProvider>,
  );
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Fruit' });
  const active = () =>
    document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent;
  const names = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
  return { user: userEvent.setup(), field, active, names, asked, onChoose };
}

test('closed it shows nothing and sends no request', () => {
  const { field, asked } = open();
  expect(field.getAttribute('aria-expanded')).toBe('false');
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(asked).not.toHaveBeenCalled();
});

test('by keyboard alone: open, wrap around the ends, choose', async () => {
  const { user, field, active, names, onChoose } = open();
  await user.tab();
  expect(document.activeElement).toBe(field);
  await user.keyboard('{ArrowDown}');
  await waitFor(() => expect(names()).toEqual(['Apple', 'Apricot', 'Banana']));
  expect(field.getAttribute('aria-expanded')).toBe('true');
  expect(field.getAttribute('aria-controls')).toBe(screen.getByRole('listbox', { name: 'Fruit' }).id);
  expect(active()).toBe('Apple');
  await user.keyboard('{ArrowUp}');
  expect(active()).toBe('Banana');
  expect(screen.getByRole('option', { name: 'Banana' }).getAttribute('aria-selected')).toBe('true');
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  expect(onChoose).toHaveBeenCalledExactlyOnceWith({ id: 'Apricot', name: 'Apricot' });
  expect(field.value).toBe('Apricot');
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(document.activeElement).toBe(field);
});

test('a pause in typing sends one request for the trimmed text', async () => {
  const { user, field, names, asked } = open();
  await user.click(field);
  await user.keyboard(' ban ');
  await waitFor(() => expect(names()).toEqual(['Banana']));
  expect(asked.mock.calls.map(([text]) => text)).toEqual(['', 'ban']);
  expect(screen.getByText('1 fruit')).toBeTruthy();
});

test('Enter chooses nothing from the list of an older text', async () => {
  const { user, field, names, onChoose } = open((text) =>
    text === '' ? matching(text) : new Promise(() => undefined),
  );
  await user.click(field);
  await waitFor(() => expect(names()).toHaveLength(3));
  await user.keyboard('ban{Enter}');
  expect(onChoose).not.toHaveBeenCalled();
  expect(screen.getByRole('listbox').getAttribute('aria-busy')).toBe('true');
});

test('Escape closes and discards the typed text; leaving does the same', async () => {
  const { user, field, names } = open();
  await user.click(field);
  await user.keyboard('apr');
  await waitFor(() => expect(names()).toEqual(['Apricot']));
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('option')).toBeNull();
  expect(field.value).toBe('');
  await user.keyboard('ban');
  await user.tab();
  expect(field.value).toBe('');
  expect(screen.queryByRole('option')).toBeNull();
});

test('Alt with the arrows opens and closes without moving', async () => {
  const { user, field, names, active } = open();
  await user.click(field);
  await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
  expect(field.getAttribute('aria-expanded')).toBe('false');
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await waitFor(() => expect(names()).toHaveLength(3));
  expect(active()).toBe('Apple');
});

test('a press chooses and keeps the focus in the field', async () => {
  const { user, field, onChoose } = open();
  await user.click(field);
  await user.click(await screen.findByRole('option', { name: 'Banana' }));
  expect(onChoose).toHaveBeenCalledOnce();
  expect(document.activeElement).toBe(field);
  expect(field.value).toBe('Banana');
});

test('opened again it offers every option', async () => {
  const { user, field, names } = open();
  await user.click(field);
  await user.click(await screen.findByRole('option', { name: 'Banana' }));
  await user.keyboard('{ArrowDown}');
  await waitFor(() => expect(names()).toHaveLength(3));
});

test('it shows loading, no results, and more results', async () => {
  let answer: (found: FoundOptions<Thing>) => void = () => undefined;
  const { user, field, asked } = open(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  await user.click(field);
  expect(await screen.findByText('Searching...')).toBeTruthy();
  answer({ options: [], hasMore: false });
  expect(await screen.findByText('No results')).toBeTruthy();
  expect(field.getAttribute('aria-expanded')).toBe('false');
  await user.keyboard('a');
  await waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
  answer({ options: THINGS, hasMore: true });
  expect(await screen.findByText('The first 3 are shown. Type to narrow.')).toBeTruthy();
});

test('a failed search shows an error, and Enter retries', async () => {
  let isDown = true;
  const { user, field, names } = open((text) =>
    isDown ? Promise.reject(new Error('down')) : matching(text),
  );
  await user.click(field);
  expect(await screen.findByText(/Press Enter to try again\./)).toBeTruthy();
  isDown = false;
  await user.keyboard('{Enter}');
  await waitFor(() => expect(names()).toHaveLength(3));
});
