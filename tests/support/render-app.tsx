import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import type { Screen } from '#web/app/navigation.ts';
import { createAppRouter } from '#web/app/router.tsx';
import { createQueryClient } from '#web/lib/query-client.ts';

/** The whole front at an address, with the screens of the product unless others are handed in. */
export function renderApp(address: string, screens?: readonly Screen[]): ReturnType<typeof createAppRouter> {
  const router = createAppRouter(screens, createMemoryHistory({ initialEntries: [address] }));
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
}
