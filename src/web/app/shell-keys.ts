import { useNavigate } from '@tanstack/react-router';
import { isModalOpen } from '#web/lib/free-keys.ts';
import { KEYS } from '#web/lib/keys.ts';
import { showOverlay, useOverlay } from '#web/lib/overlay.ts';
import { type Shortcut, useShortcuts } from '#web/lib/shortcuts.ts';
import { goKey } from './go-keys.ts';
import type { Screen } from './navigation.ts';

/**
 * The keys that act on every screen: palette, help, "G then D".
 * @param screens those the user may open
 */
export function useShellKeys(screens: readonly Screen[]): void {
  const navigate = useNavigate();
  const overlay = useOverlay();
  const togglePalette = (): unknown => {
    if (overlay === 'palette') return showOverlay(null);
    // Over another dialog it would discard what is typed there.
    return isModalOpen() ? false : showOverlay('palette');
  };
  const goKeys = screens.flatMap((screen): Shortcut[] => {
    const definition = goKey(screen);
    return definition === null ? [] : [{ definition, run: () => void navigate({ to: screen.path }) }];
  });
  useShortcuts([
    { definition: KEYS.palette, run: togglePalette },
    { definition: KEYS.help, run: () => showOverlay('help') },
    ...goKeys,
  ]);
}
