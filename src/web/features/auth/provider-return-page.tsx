import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, LogIn } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ProviderLoginDone } from '#contract/identity-provider.ts';
import { announce } from '#web/lib/announce.ts';
import { callOnce, errorText } from '#web/lib/api.ts';
import { useLeaveForProvider } from '#web/lib/provider-login.ts';
import { startSession } from '#web/lib/session.ts';
import { buttonClasses } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { StatusHeading, StatusPage } from '#web/ui/status-page.tsx';
import { GuestPage } from './guest-page.tsx';

/** Where the identity provider sends the browser back to. Opening it changes nothing; the page then sends the answer. */
export function ProviderReturnPage(): React.JSX.Element {
  const router = useRouter();
  const navigate = useNavigate();
  const client = useQueryClient();
  // Read once: the code is removed from the address bar and the history.
  const [query] = useState(() => new URL(router.state.location.href, 'http://here.invalid').search.slice(1));
  const wasSent = useRef(false);
  const { mutate, data, error } = useMutation({
    mutationFn: () => callOnce(ProviderLoginDone, 'POST', '/api/openid/answer', { query }),
    onSuccess: ({ user, returnTo }) => {
      if (user === null) return;
      startSession(client, user);
      router.history.replace(returnTo);
    },
    onError: (failure) => announce(`Login failed. ${errorText(failure)}`, 'assertive'),
  });
  useEffect(() => {
    if (wasSent.current) return;
    wasSent.current = true;
    void navigate({ to: '.', search: {}, replace: true });
    mutate();
  }, [mutate, navigate]);
  if (error !== null) return <Failed text={errorText(error)} />;
  if (data?.user === null) return <Confirmed returnTo={data.returnTo} />;
  return <Waiting title="Logging in" text="Checking your login..." />;
}

/** Leaves for the identity provider again, to confirm an action in another tab. */
export function ProviderConfirmPage(): React.JSX.Element {
  const wasSent = useRef(false);
  const { mutate, error } = useLeaveForProvider('step-up');
  useEffect(() => {
    if (wasSent.current) return;
    wasSent.current = true;
    mutate('/');
  }, [mutate]);
  return error === null ? (
    <Waiting title="Confirming your login" text="Opening the login page..." />
  ) : (
    <Failed text={errorText(error)} />
  );
}

function Waiting({ title, text }: { title: string; text: string }): React.JSX.Element {
  return (
    <GuestPage>
      <StatusPage icon={LogIn}>
        <PageHeading title={title} />
        <p role="status" className="flex items-center gap-2 text-fg-muted">
          <Spinner />
          {text}
        </p>
      </StatusPage>
    </GuestPage>
  );
}

function Confirmed({ returnTo }: { returnTo: string }): React.JSX.Element {
  return (
    <GuestPage>
      <StatusPage icon={CircleCheck}>
        <StatusHeading
          title="Login confirmed"
          text="Close this tab, and choose Continue in the tab that you came from."
        />
        <Link to={returnTo} className={buttonClasses({ look: 'outline' })}>
          Open Pricewright here
        </Link>
      </StatusPage>
    </GuestPage>
  );
}

function Failed({ text }: { text: string }): React.JSX.Element {
  return (
    <GuestPage>
      <StatusPage icon={CircleAlert}>
        <StatusHeading title="Login failed" text={text} />
        <Link to="/auth" className={buttonClasses()}>
          Back to Login
        </Link>
      </StatusPage>
    </GuestPage>
  );
}
