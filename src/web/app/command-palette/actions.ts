import { useNavigate } from '@tanstack/react-router';
import {
  CircleHelp,
  Columns3,
  FileUp,
  LogOut,
  type LucideIcon,
  OctagonX,
  Package,
  Play,
  Plus,
  RefreshCw,
  SunMoon,
  Undo2,
} from 'lucide-react';
import { useClearCache, useLogout } from '#web/app/account-actions.ts';
import { toggleTheme } from '#web/app/theme.ts';
import { useHalt, useRepriceNow } from '#web/features/repricing/queries.ts';
import { KEYS, type KeyDefinition } from '#web/lib/keys.ts';
import { showOverlay } from '#web/lib/overlay.ts';
import { undoLatest, useRecentActions } from '#web/lib/recent-actions-store.ts';

/** An action of the palette. */
export interface PaletteAction {
  readonly label: string;
  readonly icon: LucideIcon;
  /** Synonyms that also find it. */
  readonly words: string;
  readonly shortcut?: KeyDefinition;
  readonly run: () => void;
}

/** Actions available on every screen. @param toggleSidebar of the shell */
export function usePaletteActions(isHalted: boolean, toggleSidebar: () => void): readonly PaletteAction[] {
  const navigate = useNavigate();
  const halt = useHalt();
  const reprice = useRepriceNow();
  const logout = useLogout();
  const clearCache = useClearCache();
  const canUndo = useRecentActions().some(({ state }) => state === 'done');
  const go =
    (to: string, search: Record<string, string> = {}) =>
    () =>
      void navigate({ to, search });
  return [
    ...(isHalted
      ? []
      : [
          { label: 'Reprice now', icon: Play, words: 'run engine check', run: () => reprice.mutate() },
          { label: 'Halt repricing', icon: OctagonX, words: 'stop kill', run: () => halt.mutate() },
        ]),
    { label: 'Import a file', icon: FileUp, words: 'csv upload', run: go('/imports/new') },
    { label: 'Create rule', icon: Plus, words: 'new add', run: go('/rules/new') },
    {
      label: 'Add shipping tier',
      icon: Package,
      words: 'new create weight',
      run: go('/shipping-tiers', { tier: 'new' }),
    },
    ...(canUndo
      ? [
          {
            label: 'Undo the last action',
            icon: Undo2,
            words: 'back revert',
            shortcut: KEYS.undo,
            run: () => void undoLatest(),
          },
        ]
      : []),
    { label: 'Toggle theme', icon: SunMoon, words: 'dark light colors colours', run: toggleTheme },
    {
      label: 'Toggle sidebar',
      icon: Columns3,
      words: 'menu navigation',
      shortcut: KEYS.sidebar,
      run: toggleSidebar,
    },
    {
      label: 'Keyboard shortcuts',
      icon: CircleHelp,
      words: 'help keys',
      shortcut: KEYS.help,
      run: () => showOverlay('help'),
    },
    { label: 'Clear Cache & Reload', icon: RefreshCw, words: 'refresh', run: clearCache },
    { label: 'Logout', icon: LogOut, words: 'sign out leave', run: () => logout.mutate() },
  ];
}
