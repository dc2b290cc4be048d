import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OfferRefresh } from '#contract/connections.ts';
import { OfferAge } from '#contract/repricing-limits.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { errorText } from '#web/lib/api.ts';
import { callWithStepUp, isDeclined } from '#web/lib/step-up.ts';
import { toast } from '#web/lib/use-toast.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import { offerRefreshQuery } from './connection-queries.ts';
import { basisText, freshText, hoursText, intervalText } from './offer-refresh-text.ts';

/** How often competitors are read on a marketplace, how many readings count now, and how long one counts. */
export function OfferRefreshStatus({ marketplace }: { marketplace: Marketplace }): React.JSX.Element | null {
  const { data } = useQuery(offerRefreshQuery(marketplace));
  if (data === undefined || data.readings === null) return null;
  const { offerAge, readings } = data;
  return (
    <div className="flex flex-col gap-3 border-t pt-4">
      <div className="flex max-w-[80ch] flex-col gap-1">
        <p>{intervalText(readings)}</p>
        <p className="text-fg-muted">
          {[basisText(marketplace, readings), freshText(readings, offerAge)]
            .filter((text) => text !== null)
            .join(' ')}
        </p>
        {marketplace === 'ebay' && isSlow(readings) && <MoreCalls />}
      </div>
      <OfferAgeField marketplace={marketplace} offerAge={offerAge} />
    </div>
  );
}

const HALF_A_DAY = 720;

function isSlow({ interval }: NonNullable<OfferRefresh['readings']>): boolean {
  return interval !== null && interval.minutes > HALF_A_DAY;
}

function MoreCalls(): React.JSX.Element {
  return (
    <p className="text-fg-muted">
      eBay allows more calls after its free{' '}
      <a
        href="https://developer.ebay.com/grow/application-growth-check"
        target="_blank"
        rel="noreferrer"
        className="text-link underline"
      >
        Application Growth Check
      </a>
      .
    </p>
  );
}

const HOURS = [1, 2, 4, 6, 8, 12, 18, 24, 36, 48, 60, 72];
const AUTOMATIC = 'automatic';

type OfferAgeFieldProps = { marketplace: Marketplace; offerAge: OfferAge };

/** How long a competitor's offer counts. Saved at once. */
function OfferAgeField({ marketplace, offerAge }: OfferAgeFieldProps): React.JSX.Element {
  const client = useQueryClient();
  const { chosen, automatic } = offerAge;
  const save = useMutation({
    mutationFn: (value: string) =>
      callWithStepUp(OfferAge, 'PUT', `/api/connections/${marketplace}/offer-age`, {
        hours: value === AUTOMATIC ? null : Number(value),
      }),
    onSuccess: () => toast('Saved', 'All listings are checked again.'),
    onError: (error) => {
      if (!isDeclined(error)) toast('Could not save', errorText(error), 'destructive');
    },
    onSettled: () => client.invalidateQueries({ queryKey: offerRefreshQuery(marketplace).queryKey }),
  });
  const hours = chosen === null || HOURS.includes(chosen) ? HOURS : [...HOURS, chosen].sort((a, b) => a - b);
  const name = MARKETPLACE_NAMES[marketplace];
  return (
    <SelectField
      label={`Maximum offer age on ${name}`}
      hint={`Older offers do not count, and the listing keeps its price. Automatic is the age in Repricing limits; where the calls that ${name} allows take longer to reach all listings, it is longer, up to 72 h.`}
      options={[
        { value: AUTOMATIC, label: `Automatic (${hoursText(automatic)})` },
        ...hours.map((count) => ({ value: String(count), label: hoursText(count) })),
      ]}
      value={save.isPending ? save.variables : String(chosen ?? AUTOMATIC)}
      disabled={save.isPending}
      onChange={(value) => save.mutate(value)}
    />
  );
}
