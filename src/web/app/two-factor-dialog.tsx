import { useEffect } from 'react';
import { forgetMissingFactor, useMissingFactor } from '#web/lib/step-up.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

/** Says that a call needs a second factor, and links to its setup in another tab, so that typed text is kept. */
export function TwoFactorDialog(): React.JSX.Element | null {
  const said = useMissingFactor();
  useEffect(() => forgetMissingFactor, []);
  if (said === null) return null;
  return (
    <Dialog
      open
      onClose={forgetMissingFactor}
      size="small"
      title="Two-factor authentication is required"
      description={said}
      footer={
        <Button look="outline" onClick={forgetMissingFactor}>
          Close
        </Button>
      }
    >
      <p>
        <a
          href="/account"
          target="_blank"
          rel="noreferrer"
          className="font-medium text-link underline underline-offset-2"
        >
          Set up two-factor authentication
        </a>{' '}
        <span className="text-fg-muted">(opens in a new tab; your changes here are kept)</span>
      </p>
    </Dialog>
  );
}
