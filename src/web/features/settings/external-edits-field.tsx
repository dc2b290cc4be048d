import { useMutation, useQueryClient } from '@tanstack/react-query';
import { EditPolicy } from '#contract/external-edits.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import type { ExternalEditPolicy } from '#domain/readings/repair-or-hold.ts';
import { call, errorText } from '#web/lib/api.ts';
import { toast } from '#web/lib/use-toast.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import { connectionsQuery } from './connection-queries.ts';

const LABELS: Readonly<Record<ExternalEditPolicy, string>> = {
  repair_loss: 'Repair it if it loses money, else hold the listing',
  repair_floor: 'Repair it always',
  hold: 'Hold the listing, never repair it',
};
const OPTIONS = (Object.keys(LABELS) as ExternalEditPolicy[]).map((value) => ({
  value,
  label: LABELS[value],
}));

type ExternalEditsFieldProps = { marketplace: Marketplace; policy: ExternalEditPolicy };

/** What happens when a price is changed on the marketplace to one below the lowest allowed price. Saved at once. */
export function ExternalEditsField({ marketplace, policy }: ExternalEditsFieldProps): React.JSX.Element {
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (chosen: ExternalEditPolicy) =>
      call(EditPolicy, 'PUT', `/api/connections/${marketplace}/external-edits`, { policy: chosen }),
    onSuccess: () => toast('Saved', 'It applies to prices changed from now on.'),
    onError: (error) => toast('Could not save', errorText(error), 'destructive'),
    onSettled: () => client.invalidateQueries({ queryKey: connectionsQuery.queryKey }),
  });
  return (
    <SelectField
      label={`When a price is changed on ${MARKETPLACE_NAMES[marketplace]} to below your lowest allowed price`}
      hint="One repair per listing and day. More than ten within an hour, or 2% of the listings, switch the marketplace to recommend only."
      options={OPTIONS}
      value={save.isPending ? save.variables : policy}
      disabled={save.isPending}
      onChange={(chosen) => save.mutate(chosen)}
    />
  );
}
