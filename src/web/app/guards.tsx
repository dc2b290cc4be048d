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

/** Requires a logged-in user. Others go to /auth and return to the requested page after logging in. */
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

// Read once: this route is still rendered while /auth loads, and the address has already changed by then.
function SendToAuth(): React.JSX.Element {
  const router = useRouter();
  const navigate = useNavigate();
  const [wanted] = useState(() => router.state.location.href);
  useEffect(() => {
    void navigate({ to: '/auth', search: wanted === '/' ? {} : { redirect: wanted }, replace: true });
  }, [navigate, wanted]);
  return <PageSpinner label="Loading the login page" />;
}

/** Shows Access Denied to users without the admin role, and loads nothing. */
export function AdminGate(): React.JSX.Element {
  const session = useQuery(sessionQuery);
  return session.data?.role === 'admin' ? <Outlet /> : <AccessDenied />;
}

/** Only for logged-out users; others go on to the requested address. */
export function GuestGate(): React.JSX.Element {
  const session = useQuery(sessionQuery);
  if (session.data) return <SendBack />;
  // If the server cannot be reached, the form stays; logging in then shows the error.
  return session.isPending ? <PageSpinner label="Loading your session" /> : <Outlet />;
}

// Read once, for the same reason.
function SendBack(): React.JSX.Element {
  const router = useRouter();
  const [wanted] = useState(() => safeReturnPath(router.state.location.search));
  useEffect(() => router.history.replace(wanted), [router, wanted]);
  return <PageSpinner label="Loading your session" />;
}
