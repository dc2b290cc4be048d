import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookDelivery, WebhookReceiver } from '#contract/webhook-receivers.ts';
import { DELIVERY_STATES, type DeliveryState } from '#domain/webhook-receivers/webhook-events.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { ListSkeleton } from '#web/ui/list-skeleton.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { deliveriesQuery, useSendAgain } from './webhook-queries.ts';
import { attemptText, STATE_LABELS } from './webhook-text.ts';

const PAGE_SIZE = 25;
const FILTERS = [
  { value: 'all', label: 'All' },
  ...DELIVERY_STATES.map((value) => ({ value, label: STATE_LABELS[value] })),
] as const;

/** What was sent to a receiver, and how it ended. */
export function WebhookLog(props: { receiver: WebhookReceiver; onClose: () => void }): React.JSX.Element {
  const { receiver, onClose } = props;
  const [state, setState] = useState<DeliveryState | 'all'>('all');
  const [page, setPage] = useState(1);
  const deliveries = useQuery(deliveriesQuery(receiver.id, state === 'all' ? null : state, page));
  const again = useSendAgain(receiver.id);
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title={`Deliveries to ${receiver.name}`}
      description="Delivered events of the last 3 days and all others of the last 14, newest first. Each is retried for about a day."
      footer={
        <>
          <Button
            look="outline"
            disabled={!receiver.isOn}
            pending={again.isPending && again.variables === null}
            pendingText="Sending..."
            onClick={() => again.mutate(null)}
          >
            Send test
          </Button>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <SelectField
          label="Show"
          options={FILTERS}
          value={state}
          onChange={(value) => {
            setState(value);
            setPage(1);
          }}
        />
        <QueryView
          query={deliveries}
          loading={
            <div role="status">
              <span className="sr-only">Loading deliveries</span>
              <ListSkeleton rows={2} />
            </div>
          }
          failed={(error, retry) => (
            <LoadFailed
              title="Failed to load the deliveries"
              error={error}
              onRetry={retry}
              retrying={deliveries.isFetching}
            />
          )}
        >
          {({ rows, total }) =>
            rows.length === 0 ? (
              <EmptyNote>No deliveries. Send a test to see the first one.</EmptyNote>
            ) : (
              <>
                <LogTable rows={rows} canSend={receiver.isOn} onAgain={(id) => again.mutate(id)} />
                <div className="flex items-center gap-2">
                  <Button look="outline" disabled={page === 1} onClick={() => setPage(page - 1)}>
                    Newer
                  </Button>
                  <Button
                    look="outline"
                    disabled={page * PAGE_SIZE >= total}
                    onClick={() => setPage(page + 1)}
                  >
                    Older
                  </Button>
                  <span className="text-fg-muted">{total.toLocaleString('en-US')} in total</span>
                </div>
              </>
            )
          }
        </QueryView>
      </div>
    </Dialog>
  );
}

type LogTableProps = {
  rows: readonly WebhookDelivery[];
  canSend: boolean;
  onAgain: (id: string) => void;
};

function LogTable({ rows, canSend, onAgain }: LogTableProps): React.JSX.Element {
  return (
    <PlainTable caption="Deliveries" isBare>
      <thead>
        <tr>
          <HeadCell>Event</HeadCell>
          <HeadCell>State</HeadCell>
          <HeadCell>
            <span className="sr-only">Actions</span>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <Cell>
              <span className="font-medium">{row.type}</span>{' '}
              <span className="text-sm text-fg-muted">
                <MomentText iso={row.timestamp} />
              </span>
              <details>
                <summary className="cursor-pointer text-sm text-fg-muted">Content and attempts</summary>
                <pre className="mt-1 text-sm whitespace-pre-wrap wrap-anywhere">
                  {JSON.stringify(row.data, null, 2)}
                </pre>
                <ul className="text-sm">
                  {row.attempts.map((attempt) => (
                    <li key={attempt.at}>
                      <MomentText iso={attempt.at} /> {attemptText(attempt)}, {attempt.duration} ms
                    </li>
                  ))}
                </ul>
                <p className="text-sm text-fg-muted wrap-anywhere">id {row.id}</p>
              </details>
            </Cell>
            <Cell>
              <DeliveryStateText row={row} />
            </Cell>
            <Cell className="text-right">
              <Button
                look="outline"
                disabled={!canSend}
                aria-label={`${againText(row)} ${row.type} ${row.id.slice(0, 8)}`}
                onClick={() => onAgain(row.id)}
              >
                {againText(row)}
              </Button>
            </Cell>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}

function againText({ state }: WebhookDelivery): string {
  return state === 'waiting' ? 'Send now' : 'Redeliver';
}

function DeliveryStateText({ row }: { row: WebhookDelivery }): React.JSX.Element {
  const last = row.attempts.at(-1);
  return (
    <>
      <span className="font-medium">{STATE_LABELS[row.state]}</span>
      {last !== undefined && <span className="block text-sm text-fg-muted">{attemptText(last)}</span>}
      {row.nextAttemptAt !== null && last !== undefined && (
        <span className="block text-sm text-fg-muted">
          next attempt <MomentText iso={row.nextAttemptAt} />
        </span>
      )}
    </>
  );
}
