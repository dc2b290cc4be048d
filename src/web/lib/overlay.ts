import { createPageStore } from './store.ts';

/** The overlays that can open over every screen. */
export type Overlay = 'palette' | 'help' | null;

const overlay = createPageStore<Overlay>(null);

/** The open overlay. */
export const useOverlay: () => Overlay = overlay.use;
/** Opens one and closes the other; null closes it. */
export const showOverlay: (next: Overlay) => void = overlay.set;
