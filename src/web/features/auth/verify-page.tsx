import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, type LucideIcon, MailCheck } from 'lucide-react';
import { useEffect } from 'react';
import { announce } from '#web/lib/announce.ts';
import { buttonClasses } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { StatusHeading, StatusPage } from '#web/ui/status-page.tsx';
import { GuestPage } from './guest-page.tsx';
import { verificationFailure, verificationQuery } from './queries.ts';

const NO_TOKEN = 'No verification token provided';

/** Target of the link in the verification email. Opening the page verifies nothing; the page then calls the server. */
export function VerifyPage(): React.JSX.Element {
  const { token }: { token?: string } = useSearch({ strict: false });
  return (
    <GuestPage>
      {token === undefined || token === '' ? <Failed text={NO_TOKEN} /> : <Verification token={token} />}
    </GuestPage>
  );
}

function Verification({ token }: { token: string }): React.JSX.Element {
  const { data, error } = useQuery(verificationQuery(token));
  if (data !== undefined) return <Verified text={data.message} />;
  if (error !== null) return <Failed text={verificationFailure(error)} />;
  return (
    <StatusPage icon={MailCheck}>
      <PageHeading title="Verifying your email address" />
      <p role="status" className="flex items-center gap-2 text-fg-muted">
        <Spinner />
        Verifying...
      </p>
    </StatusPage>
  );
}

function Verified({ text }: { text: string }): React.JSX.Element {
  return <Result icon={CircleCheck} title="Email verified" text={text} wayOn="Go to Login" />;
}

function Failed({ text }: { text: string }): React.JSX.Element {
  return <Result icon={CircleAlert} title="Email not verified" text={text} wayOn="Back to Login" isFailure />;
}

type ResultProps = { icon: LucideIcon; title: string; text: string; wayOn: string; isFailure?: boolean };

function Result({ icon, title, text, wayOn, isFailure = false }: ResultProps): React.JSX.Element {
  useEffect(
    () => announce(`${title}. ${text}`, isFailure ? 'assertive' : 'polite'),
    [title, text, isFailure],
  );
  return (
    <StatusPage icon={icon}>
      <StatusHeading title={title} text={text} />
      <Link to="/auth" className={buttonClasses()}>
        {wayOn}
      </Link>
    </StatusPage>
  );
}
