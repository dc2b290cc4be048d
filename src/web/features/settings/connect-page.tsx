import { Link, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { CircleAlert, Plug } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { CONSENTED, type Consented } from '#domain/connections/credentials.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { errorText } from '#web/lib/api.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { Button, buttonClasses } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { StatusPage } from '#web/ui/status-page.tsx';
import { useBringConsent } from './consent-queries.ts';
import { showConsent } from './consent-text.ts';

/** The return address of a marketplace's consent page. Opening it changes nothing; the page then sends the answer. */
export function ConnectPage(): React.JSX.Element {
  const { marketplace }: { marketplace?: string } = useParams({ strict: false });
  const known = CONSENTED.find((each) => each === marketplace);
  return known === undefined ? (
    <NotConnected name="This" text="This address belongs to no marketplace connection." />
  ) : (
    <Arrival marketplace={known} />
  );
}

function Arrival({ marketplace }: { marketplace: Consented }): React.JSX.Element {
  const router = useRouter();
  const navigate = useNavigate();
  const bring = useBringConsent(marketplace);
  // Read once: the code is removed from the address bar and the history.
  const [address] = useState(() => window.location.origin + router.state.location.href);
  const wasBrought = useRef(false);
  const send = (): void =>
    bring.mutate(
      { address },
      {
        onSuccess: (check) => {
          showConsent(marketplace, check);
          void navigate({ to: '/settings', search: { marketplace }, hash: 'marketplaces', replace: true });
        },
      },
    );
  useEffect(() => {
    if (wasBrought.current) return;
    wasBrought.current = true;
    void navigate({ to: '.', search: {}, replace: true });
    send();
  });
  const name = MARKETPLACE_NAMES[marketplace];
  if (!bring.isError) {
    return (
      <StatusPage icon={Plug}>
        <PageHeading title={`Connecting ${name}`} />
        <p role="status" className="flex items-center gap-2 text-fg-muted">
          <Spinner />
          Saving your authorization and testing the connection...
        </p>
      </StatusPage>
    );
  }
  const isStepUpStale = isDeclined(bring.error);
  const text = isStepUpStale
    ? 'Your authorization was not saved. Enter your password to save it.'
    : errorText(bring.error);
  return (
    <NotConnected name={name} text={text} marketplace={marketplace}>
      {isStepUpStale && <Button onClick={send}>Enter password</Button>}
    </NotConnected>
  );
}

type NotConnectedProps = {
  name: string;
  text: string;
  marketplace?: Consented;
  children?: React.ReactNode;
};

function NotConnected({ name, text, marketplace, children }: NotConnectedProps): React.JSX.Element {
  return (
    <StatusPage icon={CircleAlert}>
      <PageHeading title={`Could not connect ${name}`} />
      <p role="alert" className="text-fg-muted">
        {text}
      </p>
      <div className="flex flex-wrap gap-3">
        {children}
        <Link
          to="/settings"
          search={marketplace === undefined ? {} : { marketplace }}
          hash="marketplaces"
          className={buttonClasses({ look: 'outline' })}
        >
          Back to Settings
        </Link>
      </div>
    </StatusPage>
  );
}
