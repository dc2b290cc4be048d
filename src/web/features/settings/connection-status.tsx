import { useQuery } from '@tanstack/react-query';
import type { ConnectionCheck } from '#contract/connections.ts';
import { isConsented } from '#domain/connections/credentials.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { errorText } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { MomentText, useNow } from '#web/ui/moment-text.tsx';
import { connectionsQuery, useConnectionCheck } from './connection-queries.ts';
import { endWarning, storeText } from './connection-text.ts';

type ConnectionStatusProps = {
  marketplace: Marketplace;
  /** Why the stored credentials cannot be tested now; null if they can. */
  untested: string | null;
};

/** The result of the last connection test, and a button to test the stored credentials. */
export function ConnectionStatus({ marketplace, untested }: ConnectionStatusProps): React.JSX.Element {
  const connections = useQuery(connectionsQuery);
  const check = useConnectionCheck(marketplace);
  const stored = connections.data?.marketplaces.find((each) => each.marketplace === marketplace);
  // The current result may be worth showing although it is not stored, such as missing credentials.
  const found = check.data ?? stored?.lastCheck ?? null;
  const shown = stored?.lastCheck ?? found;
  const name = MARKETPLACE_NAMES[marketplace];
  return (
    <div className="flex flex-col items-start gap-3 border-t pt-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          look="outline"
          disabled={untested !== null || check.isPending}
          pending={check.isPending}
          pendingText="Testing..."
          aria-label={check.isPending ? undefined : `Test connection to ${name}`}
          onClick={() => check.mutate()}
        >
          Test connection
        </Button>
        {untested !== null && <p className="text-fg-muted">{untested}</p>}
        {untested === null && shown === null && !check.isPending && (
          <p className="text-fg-muted">Not tested with these credentials.</p>
        )}
      </div>
      {check.isError && (
        <Callout tone="danger" role="status" title="Could not test the connection">
          <p className="text-fg-muted">{errorText(check.error)}</p>
        </Callout>
      )}
      {!check.isError && !check.isPending && shown !== null && (
        <Found marketplace={marketplace} check={shown} />
      )}
    </div>
  );
}

type FoundProps = { marketplace: Marketplace; check: ConnectionCheck };

function Found({ marketplace, check }: FoundProps): React.JSX.Element {
  const now = useNow();
  const warning = endWarning(marketplace, check.endsAt, now);
  return (
    <>
      <div
        role="status"
        className={check.success ? 'text-success-text' : 'flex max-w-[80ch] flex-col text-danger-text'}
      >
        {check.success ? (
          <p>
            Connected to {storeText(marketplace, check)}, <MomentText iso={check.checkedAt} />
          </p>
        ) : (
          <p>
            Failed <MomentText iso={check.checkedAt} />: {check.error ?? 'no reason was given.'}
          </p>
        )}
      </div>
      {warning !== null && (
        <Callout tone="danger" title={warning}>
          <p className="text-fg-muted">
            After that, nothing can be synced or sent until{' '}
            {isConsented(marketplace)
              ? `you connect ${MARKETPLACE_NAMES[marketplace]} again`
              : 'new credentials are saved'}
            .
          </p>
        </Callout>
      )}
      {check.notes.length > 0 && (
        <ul className="list-disc pl-5 text-fg-muted">
          {check.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </>
  );
}
