import { useMatches, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

const PRODUCT = 'Pricewright';

/** The title of the current page. An unknown address matches the root alone. */
function usePageTitle(): string {
  return useMatches({
    select: (matches) =>
      matches.length === 1 ? 'Page not found' : (matches.at(-1)?.staticData.title ?? PRODUCT),
  });
}

/** Sets the document title; a change of page moves the focus to its heading, so that screen readers announce it. */
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
