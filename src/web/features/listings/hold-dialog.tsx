import { useState } from 'react';
import { countOf } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import type { ActionTarget } from './listings-screen.ts';
import { useBulkAction } from './use-bulk-actions.ts';

const LENGTHS = [
  { value: '4', label: '4 hours' },
  { value: '24', label: '24 hours' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days' },
  { value: '', label: 'Until resumed' },
] as const;

/** Puts prices on hold for a time, with a reason. */
export function HoldDialog({
  target,
  onClose,
}: {
  target: ActionTarget;
  onClose: () => void;
}): React.JSX.Element {
  const [hours, setHours] = useState<(typeof LENGTHS)[number]['value']>('24');
  const [reason, setReason] = useState('');
  const [isSent, setSent] = useState(false);
  const hold = useBulkAction<{ hours: number | null; reason: string }>({
    path: '/api/listings/hold',
    title: target.count === 1 ? 'Listing on hold' : 'Listings on hold',
  });
  const what = target.row === null ? countOf(target.count, 'listing', 'listings') : target.row.sku;
  const send = (): void => {
    setSent(true);
    if (reason.trim() === '') return;
    hold.mutate({ target, extra: { hours: hours === '' ? null : Number(hours), reason: reason.trim() } });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={`Put ${what} on hold`}
      description="Pricewright does not change a price on hold. It still shows recommended prices."
      onSubmit={send}
      footer={
        <>
          <Button look="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" pending={hold.isPending} pendingText="Holding...">
            {target.count === 1
              ? 'Put on hold'
              : `Put ${countOf(target.count, 'listing', 'listings')} on hold`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <SelectField label="Duration" options={LENGTHS} value={hours} onChange={setHours} />
        <TextField
          label="Reason"
          value={reason}
          maxLength={200}
          onChange={(event) => setReason(event.target.value)}
          hint="Shown with the listing while it is on hold."
          error={isSent && reason.trim() === '' ? 'Enter a reason so your team knows why.' : undefined}
        />
      </div>
    </Dialog>
  );
}
