import { useQuery } from '@tanstack/react-query';
import { CONFIRM_PATH, loginWaysQuery } from '#web/lib/provider-login.ts';
import { Button, buttonClasses } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

type ProviderQuestionProps = {
  /** The action that needs it; null if it is obvious. */
  because: string | null;
  onAnswer: (isStepUpFresh: boolean) => void;
};

/** Asks a user without a password to log in at the identity provider again, in a tab of its own: typed text stays here. */
export function ProviderQuestion({ because, onAnswer }: ProviderQuestionProps): React.JSX.Element {
  const name = useQuery(loginWaysQuery).data?.provider ?? 'your identity provider';
  const what = because ?? 'You logged in more than 10 minutes ago.';
  return (
    <Dialog
      open
      onClose={() => onAnswer(false)}
      size="small"
      title={`Log in with ${name} again`}
      description={`${what} Log in again in a new tab, then choose Continue here.`}
      onSubmit={() => onAnswer(true)}
      footer={
        <>
          <Button look="outline" onClick={() => onAnswer(false)}>
            Cancel
          </Button>
          <Button type="submit">Continue</Button>
        </>
      }
    >
      <a
        href={CONFIRM_PATH}
        target="_blank"
        rel="noopener"
        className={buttonClasses({ look: 'outline', className: 'self-start' })}
      >
        Log in with {name}
      </a>
    </Dialog>
  );
}
