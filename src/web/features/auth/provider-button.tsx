import { useSearch } from '@tanstack/react-router';
import { errorText } from '#web/lib/api.ts';
import { useLeaveForProvider } from '#web/lib/provider-login.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';

/** Logs in with the identity provider, above the form for a password. */
export function ProviderButton({ name }: { name: string }): React.JSX.Element {
  // The server leads to no other site, whatever is in it.
  const { redirect = '/' }: { redirect?: string } = useSearch({ strict: false });
  const leave = useLeaveForProvider('login');
  return (
    <div className="mb-6 flex flex-col gap-4 border-b pb-6">
      {leave.error !== null && (
        <Callout tone="danger" role="alert" title="Login failed">
          <p className="text-fg-muted">{errorText(leave.error)}</p>
        </Callout>
      )}
      <Button
        look="outline"
        // It stays so while the browser leaves.
        pending={leave.isPending || leave.isSuccess}
        pendingText={`Opening ${name}...`}
        onClick={() => leave.mutate(redirect)}
      >
        Log in with {name}
      </Button>
    </div>
  );
}
