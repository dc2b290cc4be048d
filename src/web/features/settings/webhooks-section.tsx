import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, CircleOff, Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import type { WebhookReceiver } from '#contract/webhook-receivers.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { ListSkeleton } from '#web/ui/list-skeleton.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { SettingBlock, SettingsSection } from './settings-section.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookLog } from './webhook-log.tsx';
import { receiversQuery, useDeleteReceiver } from './webhook-queries.ts';
import { receiverState } from './webhook-text.ts';

type Opened =
  | { readonly kind: 'new' }
  | { readonly kind: 'edit' | 'log' | 'delete'; readonly receiver: WebhookReceiver };

const ICONS = {
  success: CircleCheck,
  warning: CircleAlert,
  danger: CircleAlert,
  neutral: CircleOff,
} as const;

/** The programs that events are sent to. */
export function WebhooksSection(): React.JSX.Element {
  const receivers = useQuery(receiversQuery);
  const [opened, setOpened] = useState<Opened | null>(null);
  const add = useRef<HTMLButtonElement>(null);
  const close = (): void => setOpened(null);
  const remove = useDeleteReceiver(() => {
    close();
    // After the dialog has returned the focus to a removed button.
    setTimeout(() => add.current?.focus());
  });
  return (
    <SettingsSection
      id="webhooks"
      subtitle="Send price changes, halts, alerts and imports to your own programs. Changes take effect at once, without Save All Settings."
      aside={
        <Button ref={add} look="outline" onClick={() => setOpened({ kind: 'new' })}>
          <Plus aria-hidden />
          New receiver...
        </Button>
      }
    >
      <SettingBlock>
        <QueryView
          query={receivers}
          loading={
            <div role="status">
              <span className="sr-only">Loading webhook receivers</span>
              <ListSkeleton rows={2} />
            </div>
          }
          failed={(error, retry) => (
            <LoadFailed
              title="Failed to load the webhook receivers"
              error={error}
              onRetry={retry}
              retrying={receivers.isFetching}
            />
          )}
        >
          {(all) =>
            all.length === 0 ? (
              <p className="text-fg-muted">
                No webhook receivers yet. Add one to notify a program when a price changes.
              </p>
            ) : (
              <ReceiverTable receivers={all} onOpen={setOpened} />
            )
          }
        </QueryView>
      </SettingBlock>
      {opened?.kind === 'new' && <WebhookDialog receiver={null} onClose={close} />}
      {opened?.kind === 'edit' && <WebhookDialog receiver={opened.receiver} onClose={close} />}
      {opened?.kind === 'log' && <WebhookLog receiver={opened.receiver} onClose={close} />}
      <AlertDialog
        open={opened?.kind === 'delete'}
        onCancel={close}
        title={`Delete the webhook receiver ${opened?.kind === 'delete' ? opened.receiver.name : ''}?`}
        action="Delete receiver"
        pending={remove.isPending}
        pendingText="Deleting..."
        onConfirm={() => opened?.kind === 'delete' && remove.mutate(opened.receiver)}
      >
        <p>Its log and waiting events are deleted too. This cannot be undone.</p>
      </AlertDialog>
    </SettingsSection>
  );
}

type ReceiverTableProps = { receivers: readonly WebhookReceiver[]; onOpen: (opened: Opened) => void };

function ReceiverTable({ receivers, onOpen }: ReceiverTableProps): React.JSX.Element {
  return (
    <PlainTable caption="Webhook receivers" isBare>
      <thead>
        <tr>
          <HeadCell>Name</HeadCell>
          <HeadCell>State</HeadCell>
          <HeadCell>
            <span className="sr-only">Actions</span>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {receivers.map((receiver) => {
          const { id, name, address, failingSince, waitingCount, failedCount } = receiver;
          const { tone, text, reason } = receiverState(receiver);
          return (
            <tr key={id}>
              <Cell>
                <span className="font-medium wrap-anywhere">{name}</span>
                <span className="block text-sm text-fg-muted wrap-anywhere">{new URL(address).host}</span>
              </Cell>
              <Cell>
                <Badge tone={tone} icon={ICONS[tone]}>
                  {text}
                </Badge>
                {reason !== null && <span className="block text-sm text-fg-muted">{reason}</span>}
                {tone === 'warning' && failingSince !== null && (
                  <span className="block text-sm text-fg-muted">
                    since <MomentText iso={failingSince} />
                  </span>
                )}
                {waitingCount + failedCount > 0 && (
                  <span className="block text-sm text-fg-muted">
                    {waitingCount.toLocaleString('en-US')} waiting, {failedCount.toLocaleString('en-US')}{' '}
                    failed
                  </span>
                )}
              </Cell>
              <Cell className="text-right">
                <span className="inline-flex flex-wrap justify-end gap-2">
                  <Button
                    look="outline"
                    aria-label={`Deliveries to ${name}`}
                    onClick={() => onOpen({ kind: 'log', receiver })}
                  >
                    Log...
                  </Button>
                  <Button
                    look="outline"
                    aria-label={`Edit ${name}`}
                    onClick={() => onOpen({ kind: 'edit', receiver })}
                  >
                    Edit...
                  </Button>
                  <Button
                    look="outline"
                    aria-label={`Delete ${name}`}
                    onClick={() => onOpen({ kind: 'delete', receiver })}
                  >
                    Delete...
                  </Button>
                </span>
              </Cell>
            </tr>
          );
        })}
      </tbody>
    </PlainTable>
  );
}
