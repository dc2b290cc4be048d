import { useEffect, useRef } from 'react';
import type { Registered } from '#contract/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { whatHappensNext } from './queries.ts';

type WaitingPanelProps = { registered: Registered; onLogin: () => void };

/** Replaces the form after a registration that an administrator has to approve. */
export function WaitingPanel({ registered, onLogin }: WaitingPanelProps): React.JSX.Element {
  const panel = useRef<HTMLDivElement>(null);
  // The form with the focus was removed; without this the next Tab would start at the top of the page.
  useEffect(() => panel.current?.focus(), []);
  return (
    <div ref={panel} tabIndex={-1} className="flex flex-col gap-4 outline-none">
      <Callout tone="success" title="Registration successful">
        <p className="text-fg-muted">{whatHappensNext(registered)}</p>
      </Callout>
      <div>
        <h2 className="text-lg font-semibold">What happens next</h2>
        <ol className="mt-2 flex list-decimal flex-col gap-1 pl-5 text-fg-muted">
          <li>
            Open the link that verifies your email address. You get it by email or from your administrator.
          </li>
          <li>An administrator reviews and approves your account.</li>
          <li>
            You log in as <span className="font-medium break-all text-fg">{registered.username}</span> with
            the password you chose.
          </li>
        </ol>
      </div>
      <Button look="outline" onClick={onLogin}>
        Go to Login
      </Button>
    </div>
  );
}
