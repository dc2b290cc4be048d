import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiToken } from '#contract/api-tokens.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { ListSkeleton } from '#web/ui/list-skeleton.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { useRevokeToken } from './token-calls.ts';
import { TokensTable } from './tokens-table.tsx';

type TokenListProps = {
  tokens: UseQueryResult<ApiToken[]>;
  /** Whether it has the tokens of several users. */
  ofAll?: boolean;
  /** Shown without any token. */
  empty: React.ReactNode;
  /** Moves the focus once a row is gone. */
  onRevoked: () => void;
};

/** A list of API tokens, and the question before one is revoked. */
export function TokenList({ tokens, ofAll = false, empty, onRevoked }: TokenListProps): React.JSX.Element {
  const [revoking, setRevoking] = useState<ApiToken | null>(null);
  const revoke = useRevokeToken(() => {
    setRevoking(null);
    // After the dialog has returned the focus to a removed button.
    setTimeout(onRevoked);
  });
  return (
    <>
      <QueryView
        query={tokens}
        loading={
          <div role="status">
            <span className="sr-only">Loading API tokens</span>
            <ListSkeleton rows={2} />
          </div>
        }
        failed={(error, retry) => (
          <LoadFailed
            title="Failed to load the API tokens"
            error={error}
            onRetry={retry}
            retrying={tokens.isFetching}
          />
        )}
      >
        {(all) =>
          all.length === 0 ? empty : <TokensTable tokens={all} ofAll={ofAll} onRevoke={setRevoking} />
        }
      </QueryView>
      <AlertDialog
        open={revoking !== null}
        onCancel={() => setRevoking(null)}
        title={`Revoke the API token ${revoking?.name ?? ''}?`}
        action="Revoke token"
        pending={revoke.isPending}
        pendingText="Revoking..."
        onConfirm={() => revoking !== null && revoke.mutate(revoking)}
      >
        <p>Programs that use it lose access immediately. This cannot be undone.</p>
      </AlertDialog>
    </>
  );
}
