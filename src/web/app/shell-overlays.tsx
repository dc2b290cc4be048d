import { Suspense } from 'react';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { showOverlay, useOverlay } from '#web/lib/overlay.ts';
import type { Screen } from './navigation.ts';
import { useShellKeys } from './shell-keys.ts';

const Palette = lazyPart(async () => (await import('./command-palette/palette.tsx')).Palette).Part;
const HelpDialog = lazyPart(async () => (await import('./help-dialog.tsx')).HelpDialog).Part;

type ShellOverlaysProps = { screens: readonly Screen[]; toggleSidebar: () => void };

/**
 * The palette and the help, loaded when first opened, and their keys.
 * `screens` are those the user may open.
 */
export function ShellOverlays({ screens, toggleSidebar }: ShellOverlaysProps): React.JSX.Element {
  const overlay = useOverlay();
  useShellKeys(screens);
  const close = (): void => showOverlay(null);
  return (
    <Suspense fallback={null}>
      {overlay === 'palette' && <Palette screens={screens} toggleSidebar={toggleSidebar} onClose={close} />}
      {overlay === 'help' && <HelpDialog onClose={close} />}
    </Suspense>
  );
}
