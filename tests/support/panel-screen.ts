import { screen, within } from '@testing-library/react';
import type { Answers } from './fake-api.ts';
import { openListings } from './listings-screen.tsx';
import { PANEL_ANSWERS } from './panel-responses.ts';
// Loaded on its first use, which is slow on a busy machine: not while a test waits for it.
import '#web/features/listings/panel/panel-tabs.tsx';

/** Listings with the panel of the first one open at a tab. */
export async function openPanelTab(tab: string, answers: Answers = {}) {
  const opened = openListings({ ...PANEL_ANSWERS, ...answers }, `/listings?panel=1&tab=${tab}`);
  const panel = within(await screen.findByRole('complementary', { name: 'Coffee mug' }));
  /** Name, figure and note of each card. */
  const cards = async (): Promise<string[][]> => {
    await panel.findAllByRole('term');
    return panel.getAllByRole('term').map((term) => {
      const [figure, note] = [...(term.nextElementSibling?.children ?? [])];
      return [term, figure, note].flatMap((part) => (part == null ? [] : [part.textContent ?? '']));
    });
  };
  return { ...opened, panel, cards };
}
