import type { FirstAdmin } from '#contract/first-admin.ts';
import { Callout } from '#web/ui/callout.tsx';

type FirstAdminCalloutProps = {
  /** Undefined if the server did not answer. */
  way: FirstAdmin['way'] | undefined;
  /** Whether the page was opened with the setup link that start-up prints. */
  hasLink: boolean;
};

/** What the first user of a new installation has to know, over both forms; nothing once there is an administrator. */
export function FirstAdminCallout(props: FirstAdminCalloutProps): React.JSX.Element | null {
  const words = calloutText(props);
  if (words === null) return null;
  return (
    <Callout tone="info" title={words.title}>
      <p className="text-fg-muted">{words.text}</p>
    </Callout>
  );
}

function calloutText({ way, hasLink }: FirstAdminCalloutProps): { title: string; text: string } | null {
  if (hasLink) {
    return way === 'taken'
      ? {
          title: 'Setup is complete',
          text: 'Setup is complete, so this link no longer works. Log in, or register and wait for approval.',
        }
      : {
          title: 'The first account',
          text: 'Register with this link to become the administrator. It works once, for 24 hours.',
        };
  }
  switch (way) {
    case 'registration':
      return {
        title: 'Create the first account',
        text: 'There is no administrator yet. The account you create here, on the machine that runs Pricewright, becomes the administrator.',
      };
    case 'setup_link':
      return {
        title: 'No administrator yet',
        text: 'To become the administrator, open the setup link that Pricewright prints when it starts (terminal or service log). It works once, for 24 hours. Accounts registered without it need approval.',
      };
    default:
      return null;
  }
}
