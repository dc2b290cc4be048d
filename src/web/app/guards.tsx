import { useQuery } from '@tanstack/react-query';
import { Outlet, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { sessionQuery } from '#web/lib/session.ts';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageSpinner } from '#web/ui/spinner.tsx';
import { AccessDenied } from './access-denied.tsx';
import type { Screen } from './navigation.ts';
import { safeReturnPath } from './return-path.ts';
import { Shell } from './shell.tsx';

/** Everything behind it needs a signed-in user; others go to /auth and come back to where they wanted to be. */
export function SessionGate({ screens }: { screens: readonly Screen[] }): React.JSX.Element {
  const session = useQuery(sessionQuery);
  if (session.data) return <Shell user={session.data} screens={screens} />;
  if (session.data === null) return <SendToAuth />;
  if (session.isError) {
    return (
      <main className="mx-auto flex min-h-dvh max-w-lg flex-col justify-center p-4">
        <h1 className="sr-only">Pricewright</h1>
        <LoadFailed
          title="Failed to load your session"
          error={session.error}
          onRetry={() => void session.refetch()}
          retrying={session.isFetching}
        />
      </main>
    );
  }
  return <PageSpinner label="Loading your session" />;
}

// The address is read once: while /auth loads, this is still in view and the address is already the new one.
function SendToAuth(): React.JSX.Element {
  const router = useRouter();
  const navigate = useNavigate();
  const [wanted] = useState(() => router.state.location.href);
  useEffect(() => {
    void navigate({ to: '/auth', search: wanted === '/' ? {} : { redirect: wanted }, replace: true });
  }, [navigate, wanted]);
  return <PageSpinner label="Loading the sign-in" />;
}

/** The screens behind it answer a non-admin with Access Denied and load nothing. */
export function AdminGate(): React.JSX.Element {
  const session = useQuery(sessionQuery);
  return session.data?.role === 'admin' ? <Outlet /> : <AccessDenied />;
}

/** Only for people who are not signed in; others go on to the address they first asked for. */
export function GuestGate(): React.JSX.Element {
  const session = useQuery(sessionQuery);
  if (session.data) return <SendBack />;
  // A server that cannot be reached leaves the form in view: trying to log in then says so.
  return session.isPending ? <PageSpinner label="Loading your session" /> : <Outlet />;
}

// Read once, for the same reason.
function SendBack(): React.JSX.Element {
  const router = useRouter();
  const [wanted] = useState(() => safeReturnPath(router.state.location.search));
  useEffect(() => router.history.replace(wanted), [router, wanted]);
  return <PageSpinner label="Loading your session" />;
}
