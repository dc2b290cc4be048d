import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { KEYS, type KeyDefinition, keyText } from './keys.ts';
import { switchSingleKeys, useShortcut } from './shortcuts.ts';

type KeyProps = { definition: KeyDefinition; run: (event: KeyboardEvent) => unknown };

function Key({ definition, run }: KeyProps): null {
  useShortcut(definition, run);
  return null;
}

const GO: KeyDefinition = { keys: ['G K'], label: 'SKUs', group: 'Go to' };

function draw(done: string[], more: React.ReactNode = null) {
  const note = (name: string) => () => void done.push(name);
  render(
    <>
      <Key definition={GO} run={note('go')} />
      <Key definition={KEYS.previousRow} run={note('row')} />
      <Key definition={KEYS.toggleRow} run={note('x')} />
      <Key definition={KEYS.toggleRange} run={note('range')} />
      <Key definition={KEYS.palette} run={note('palette')} />
      <Key definition={KEYS.undo} run={note('undo')} />
      <Key definition={KEYS.help} run={note('help')} />
      <input aria-label="Name" />
      {more}
    </>,
  );
  return userEvent.setup();
}

test('a key, a key with Shift, a sign and a modifier are distinguished', async () => {
  const done: string[] = [];
  const user = draw(done);
  await user.keyboard('x{Shift>}X{/Shift}{Shift>}?{/Shift}{Control>}k{/Control}{Meta>}z{/Meta}');
  expect(done).toEqual(['x', 'range', 'help', 'palette', 'undo']);
});

test('the second key of a sequence does not act as a single key', async () => {
  const done: string[] = [];
  const user = draw(done);
  await user.keyboard('gkk');
  expect(done).toEqual(['go', 'row']);
});

test('a single key does nothing with Ctrl, Alt or Cmd held', async () => {
  const done: string[] = [];
  const user = draw(done);
  await user.keyboard('{Control>}x{/Control}{Alt>}x{/Alt}{Meta>}x{/Meta}');
  expect(done).toEqual([]);
});

test('in a field letters are typed and Ctrl+Z belongs to the field; Ctrl+K still acts', async () => {
  const done: string[] = [];
  const user = draw(done);
  await user.click(screen.getByLabelText('Name'));
  await user.keyboard('gkx?{Control>}z{/Control}{Control>}k{/Control}');
  expect(done).toEqual(['palette']);
  expect((screen.getByLabelText('Name') as HTMLInputElement).value).toBe('gkx?');
});

test('over a modal dialog and in a menu no key acts', async () => {
  const done: string[] = [];
  const user = draw(done, <div data-scroll-lock />);
  await user.keyboard('x?{Control>}z{/Control}');
  expect(done).toEqual([]);
});

test('held down, only the row keys repeat', async () => {
  const done: string[] = [];
  const user = draw(done);
  await user.keyboard('{x>3/}{k>3/}{Control>}{z>3/}{/Control}');
  expect(done).toEqual(['x', 'row', 'row', 'row', 'undo']);
});

test('single keys switched off do nothing, now and after a reload; the others act', async () => {
  const done: string[] = [];
  const user = draw(done);
  switchSingleKeys(false);
  await user.keyboard('xgk?{Control>}k{/Control}');
  expect(done).toEqual(['palette']);
  expect(localStorage.getItem('pricewright-single-keys')).toBe('off');
  switchSingleKeys(true);
});

test('a key that a shortcut declines goes to the one registered before', async () => {
  const done: string[] = [];
  const user = draw(done, <Key definition={KEYS.toggleRow} run={() => false} />);
  await user.keyboard('x');
  expect(done).toEqual(['x']);
});

test('the help lists every key of the product once', () => {
  const all = Object.values(KEYS).flatMap(({ keys }) => keys);
  expect(new Set(all).size).toBe(all.length);
  expect(all.map(keyText)).toEqual(
    expect.arrayContaining([
      ...['Ctrl+K', '?', '/', 'Ctrl+B', 'F8', 'Esc', 'J', 'K', 'Down', 'Up', 'Enter', 'O', 'X', 'Shift+X'],
      ...['Ctrl+A', 'E', 'Shift+F10', 'C', 'R', '[', ']', 'Ctrl+S', 'Ctrl+Z', 'Ctrl+Enter'],
    ]),
  );
});
