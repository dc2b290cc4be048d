import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import type { SessionUser } from '#contract/session.ts';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { offerLogIn, useIsLogInRequested } from '#web/lib/reauth-store.ts';
import { followLogout } from '#web/lib/session.ts';

const LogIn = lazyPart(async () => (await import('./log-in-dialog.tsx')).LogInDialog);

/** Shown over the current screen when the session ends during work. A different user goes to the login page. */
export function ReauthDialog({ user }: { user: SessionUser }): React.JSX.Element | null {
  const client = useQueryClient();
  useEffect(() => offerLogIn(), []);
  useEffect(() => followLogout(client), [client]);
  if (!useIsLogInRequested()) return null;
  return (
    <Suspense fallback={null}>
      <LogIn.Part user={user} />
    </Suspense>
  );
}
