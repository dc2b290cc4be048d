import type { FirstAdmin } from '#contract/first-admin.ts';
import { Callout } from '#web/ui/callout.tsx';

type FirstAdminNoticeProps = {
  /** Undefined when the server did not say. */
  way: FirstAdmin['way'] | undefined;
  /** Whether the page was opened with the set-up link that start-up prints. */
  hasLink: boolean;
};

/** What whoever opens a new installation has to know, over both forms; nothing once there is an administrator. */
export function FirstAdminNotice(props: FirstAdminNoticeProps): React.JSX.Element | null {
  const words = wordsFor(props);
  if (words === null) return null;
  return (
    <Callout tone="info" title={words.title}>
      <p className="text-fg-muted">{words.text}</p>
    </Callout>
  );
}

function wordsFor({ way, hasLink }: FirstAdminNoticeProps): { title: string; text: string } | null {
  if (hasLink) {
    return way === 'taken'
      ? {
          title: 'Set-up is done',
          text: 'There is an administrator, so the set-up link does nothing any more. Log in, or register and wait for approval.',
        }
      : {
          title: 'The first account',
          text: 'Whoever registers with this link, once and within 24 hours of the start, becomes the administrator.',
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
        text: 'To become the administrator, open the set-up link that each start of Pricewright prints in its terminal, or in the output of its service. A link is good once and for 24 hours. Whoever registers without it waits for an administrator.',
      };
    default:
      return null;
  }
}
