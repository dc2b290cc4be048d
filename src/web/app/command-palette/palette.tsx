import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Screen } from '#web/app/navigation.ts';
import { announce } from '#web/lib/announce.ts';
import { errorText } from '#web/lib/api.ts';
import { engineQuery } from '#web/lib/engine.ts';
import { countOf } from '#web/lib/format.ts';
import { useDebounced } from '#web/lib/use-debounced.ts';
import { CommandMenu } from '#web/ui/command-menu.tsx';
import { usePaletteActions } from './actions.ts';
import { actionsGroup, type Choose, hitGroups, screensGroup } from './groups.tsx';
import { narrowed, searchQuery } from './search.ts';

/** Milliseconds after the last keystroke before the search is sent. */
const PAUSE = 120;

type PaletteProps = {
  /** The screens the user may open. */
  screens: readonly Screen[];
  toggleSidebar: () => void;
  onClose: () => void;
};

/** One field to open any screen, find a listing or SKU, or run an action. */
export function Palette({ screens, toggleSidebar, onClose }: PaletteProps): React.JSX.Element {
  const [text, setText] = useState('');
  const wanted = text.trim();
  const requested = useDebounced(wanted, PAUSE);
  const hits = useQuery(searchQuery(requested));
  const isHalted = useQuery(engineQuery).data?.isHalted === true;
  const actions = usePaletteActions(isHalted, toggleSidebar);
  const router = useRouter();
  const choose: Choose = (run) => () => {
    onClose();
    run();
  };
  const go = (to: string): (() => void) => choose(() => router.history.push(to));
  const isWaiting = wanted !== '' && (requested !== wanted || hits.isFetching);
  const known = wanted === '' ? undefined : hits.data;
  const found = known !== undefined && isWaiting ? narrowed(known, wanted) : known;
  const groups = [
    ...hitGroups(found, screens, wanted, go),
    screensGroup(screens, wanted, go),
    actionsGroup(actions, wanted, choose),
  ].filter(({ items }) => items.length > 0);
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  useAnnouncedCount(wanted === '' || isWaiting ? null : count);
  return (
    <CommandMenu
      onClose={onClose}
      label="Search and commands"
      placeholder="Find a listing or SKU, open a page, or run a command"
      text={text}
      onText={setText}
      groups={groups}
      empty={isWaiting ? 'Searching...' : `Nothing found for "${wanted}". Try part of a SKU or title.`}
      foot={
        wanted !== '' && hits.error !== null ? (
          <p role="alert" className="border-t px-4 py-2 text-sm text-danger-text">
            Failed to search listings and SKUs. {errorText(hits.error)}
          </p>
        ) : undefined
      }
    />
  );
}

/** @param count null while it is unknown */
function useAnnouncedCount(count: number | null): void {
  useEffect(() => {
    if (count !== null) announce(count === 0 ? 'Nothing found' : countOf(count, 'result', 'results'));
  }, [count]);
}
