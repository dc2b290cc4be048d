import { useState } from 'react';
import { NewWebhookReceiver, type WebhookReceiver } from '#contract/webhook-receivers.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from '#domain/webhook-receivers/webhook-events.ts';
import { ApiError, errorText } from '#web/lib/api.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ShownSecret } from '#web/ui/shown-secret.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useReplaceSecret, useSaveReceiver } from './webhook-queries.ts';
import { EVENT_LABELS } from './webhook-text.ts';

type WebhookDialogProps = {
  /** Null for a new one. */
  receiver: WebhookReceiver | null;
  onClose: () => void;
};

/** Adds or changes a receiver of webhooks. A new secret is shown once. */
export function WebhookDialog({ receiver, onClose }: WebhookDialogProps): React.JSX.Element {
  const save = useSaveReceiver();
  const replace = useReplaceSecret();
  const [name, setName] = useState(receiver?.name ?? '');
  const [address, setAddress] = useState(receiver?.address ?? '');
  const [events, setEvents] = useState<readonly WebhookEvent[]>(receiver?.events ?? []);
  const [isOn, setOn] = useState(receiver?.isOn ?? true);
  const [isTried, setTried] = useState(false);
  const form = { name, address, events: [...events] };
  const parsed = NewWebhookReceiver.safeParse(form);
  const error = save.error ?? replace.error;
  const refused = error instanceof ApiError ? error.fields : {};
  const problems = { ...(isTried ? problemsOf(parsed) : {}), ...refused };
  const secret = replace.data?.secret ?? save.data?.secret;

  const submit = (): void => {
    setTried(true);
    if (!parsed.success) return;
    const done = (made: unknown): void => {
      if (made === null) onClose();
    };
    save.mutate({ id: receiver?.id ?? null, form, isOn }, { onSuccess: done });
  };
  const choose = (event: WebhookEvent, isChosen: boolean): void =>
    setEvents(WEBHOOK_EVENTS.filter((each) => (each === event ? isChosen : events.includes(each))));

  if (secret !== undefined) {
    return (
      <Dialog
        open
        onClose={onClose}
        title="The secret of the webhook receiver"
        description={`Copy it now. It is not shown again.${receiver === null ? '' : ' The former secret stays valid for 24 hours.'}`}
        footer={<Button onClick={onClose}>Done</Button>}
      >
        <div className="flex flex-col gap-3">
          <ShownSecret name="Secret" secret={secret} />
          <p className="text-fg-muted">Your program checks the signature of each webhook with this secret.</p>
        </div>
      </Dialog>
    );
  }
  const isOther = error !== null && Object.keys(refused).length === 0 && !isDeclined(error);
  return (
    <Dialog
      open
      onClose={onClose}
      title={receiver === null ? 'New webhook receiver' : `Webhook receiver ${receiver.name}`}
      description="Pricewright sends the events to this address, as signed JSON."
      onSubmit={submit}
      footer={
        <>
          <Button look="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="primary" pending={save.isPending} pendingText="Saving...">
            {receiver === null ? 'Add receiver' : 'Save'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {isOther && (
          <Callout tone="danger" role="alert" title="Could not save the webhook receiver">
            <p className="text-fg-muted">{errorText(error)}</p>
          </Callout>
        )}
        <TextField
          label="Name"
          hint="What it is for, such as Warehouse system"
          maxLength={60}
          autoComplete="off"
          error={problems.name}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label="Address"
          hint="https, on the public internet"
          type="url"
          maxLength={500}
          autoComplete="off"
          error={problems.address}
          value={address}
          onChange={(event) => setAddress(event.target.value)}
        />
        <fieldset>
          <legend className="font-medium">Events</legend>
          {WEBHOOK_EVENTS.map((event) => (
            <Checkbox
              key={event}
              label={EVENT_LABELS[event]}
              hint={event}
              checked={events.includes(event)}
              onChange={(isChosen) => choose(event, isChosen)}
            />
          ))}
          {problems.events !== undefined && (
            <p role="alert" className="mt-1 text-sm text-danger-text">
              {problems.events}
            </p>
          )}
        </fieldset>
        {receiver !== null && (
          <>
            <Checkbox
              label="On"
              hint="While it is off, no new events are stored for it"
              checked={isOn}
              onChange={setOn}
            />
            <div>
              <Button
                look="outline"
                pending={replace.isPending}
                pendingText="Replacing..."
                onClick={() => replace.mutate(receiver.id)}
              >
                Replace secret
              </Button>
              <p className="mt-1 text-fg-muted">
                The current secret stays valid for 24 hours. If it leaked, replace it twice.
              </p>
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
}

function problemsOf(
  parsed: ReturnType<typeof NewWebhookReceiver.safeParse>,
): Partial<Record<string, string>> {
  const problems: Partial<Record<string, string>> = {};
  for (const { path, message } of parsed.error?.issues ?? []) problems[String(path[0])] ??= message;
  return problems;
}
