import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import type { SessionUser } from '#contract/session.ts';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { offerSignIn, useIsSignInRequested } from '#web/lib/reauth-store.ts';
import { followLogout } from '#web/lib/session.ts';

const SignIn = lazyPart(async () => (await import('./sign-in-dialog.tsx')).SignInDialog);

/** Shown over the current screen when the session ends during work. A different user goes to the sign-in. */
export function ReauthDialog({ user }: { user: SessionUser }): React.JSX.Element | null {
  const client = useQueryClient();
  useEffect(() => offerSignIn(), []);
  useEffect(() => followLogout(client), [client]);
  if (!useIsSignInRequested()) return null;
  return (
    <Suspense fallback={null}>
      <SignIn.Part user={user} />
    </Suspense>
  );
}
