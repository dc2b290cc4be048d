import { useMatches, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

const PRODUCT = 'Pricewright';

/** The name of the page in view. An unknown address matches the root alone. */
export function usePageTitle(): string {
  return useMatches({
    select: (matches) =>
      matches.length === 1 ? 'Page not found' : (matches.at(-1)?.staticData.title ?? PRODUCT),
  });
}

/** Names the document after the page; a change of page moves the focus to its heading, so that readers hear where they are. */
export function usePageChange(): void {
  const router = useRouter();
  const title = usePageTitle();
  useEffect(() => {
    document.title = title === PRODUCT ? PRODUCT : `${title} | ${PRODUCT}`;
  }, [title]);
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation !== undefined && pathChanged)
          document.querySelector('h1')?.focus({ preventScroll: true });
      }),
    [router],
  );
}
