import { useState } from 'react';
import type { Consented } from '#domain/connections/credentials.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { errorText } from '#web/lib/api.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useBringConsent } from './consent-queries.ts';
import { showConsent } from './consent-text.ts';

type PastedAnswerProps = {
  marketplace: Consented;
  /** Whether it can be sent now. */
  isUsable: boolean;
};

/** Field for the address of the last consent page, for marketplaces that do not return here. */
export function PastedAnswer({ marketplace, isUsable }: PastedAnswerProps): React.JSX.Element {
  const bring = useBringConsent(marketplace);
  const [address, setAddress] = useState('');
  const refused = bring.isError && !isDeclined(bring.error) ? bring.error : null;
  const send = (): void =>
    bring.mutate(
      { address },
      {
        onSuccess: (check) => {
          setAddress('');
          showConsent(marketplace, check);
        },
      },
    );
  return (
    <form
      className="flex flex-col items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (address.trim() !== '' && isUsable && !bring.isPending) send();
      }}
    >
      <div className="w-full">
        <TextField
          label={`Address of the ${MARKETPLACE_NAMES[marketplace]} page you landed on`}
          hint="It contains a code that works once."
          error={refused === null ? undefined : errorText(refused)}
          autoComplete="off"
          spellCheck={false}
          maxLength={4_000}
          value={address}
          onChange={(event) => {
            setAddress(event.target.value);
            if (bring.isError) bring.reset();
          }}
        />
      </div>
      <Button
        type="submit"
        look="outline"
        disabled={!isUsable || address.trim() === ''}
        pending={bring.isPending}
        pendingText="Connecting..."
      >
        Use this address
      </Button>
    </form>
  );
}
