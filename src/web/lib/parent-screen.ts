import { useMatches } from '@tanstack/react-router';

/** The screen that the current page belongs to; null for a screen of its own. */
export function useParentScreen(): { readonly path: string; readonly label: string } | null {
  return useMatches({ select: (matches) => matches.at(-1)?.staticData.under ?? null });
}
