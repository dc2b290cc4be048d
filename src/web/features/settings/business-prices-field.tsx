import { useMutation, useQueryClient } from '@tanstack/react-query';
import { BusinessPriceSetting } from '#contract/business-prices.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import type { BusinessPricePolicy } from '#domain/sending/business-plan.ts';
import { call, errorText } from '#web/lib/api.ts';
import { toast } from '#web/lib/use-toast.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import { connectionsQuery } from './connection-queries.ts';

const LABELS: Readonly<Record<BusinessPricePolicy, string>> = {
  leave: 'Leave them as they are',
  follow: 'Follow your price, at the same distance as now',
};
const OPTIONS = (Object.keys(LABELS) as BusinessPricePolicy[]).map((value) => ({
  value,
  label: LABELS[value],
}));

type BusinessPricesFieldProps = { marketplace: Marketplace; policy: BusinessPricePolicy };

/** What happens to prices for business buyers when a price changes. Saved at once. */
export function BusinessPricesField({ marketplace, policy }: BusinessPricesFieldProps): React.JSX.Element {
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (chosen: BusinessPricePolicy) =>
      call(BusinessPriceSetting, 'PUT', `/api/connections/${marketplace}/business-prices`, {
        policy: chosen,
      }),
    onSuccess: () => toast('Saved', 'It applies to prices sent from now on.'),
    onError: (error) => toast('Could not save', errorText(error), 'destructive'),
    onSettled: () => client.invalidateQueries({ queryKey: connectionsQuery.queryKey }),
  });
  return (
    <SelectField
      label={`Business and quantity prices on ${MARKETPLACE_NAMES[marketplace]}`}
      hint="Following prices stay at or above your lowest allowed price and at or below your price. To keep another distance, set the business prices there and switch this off and on."
      options={OPTIONS}
      value={save.isPending ? save.variables : policy}
      disabled={save.isPending}
      onChange={(chosen) => save.mutate(chosen)}
    />
  );
}
