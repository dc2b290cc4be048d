import { createPageStore } from './store.ts';

/** What lies over every screen when somebody asks for it. */
export type Overlay = 'palette' | 'help' | null;

const overlay = createPageStore<Overlay>(null);

/** Which of them is open. */
export const useOverlay: () => Overlay = overlay.use;
/** Opens one in the place of another; null closes it. */
export const showOverlay: (next: Overlay) => void = overlay.set;
