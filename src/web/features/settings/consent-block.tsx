import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { type Consented, missingForConsent, missingSentence } from '#domain/credentials.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { errorText } from '#web/lib/api.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useBringConsent, useLeaveForConsent } from './consent-queries.ts';
import { isPublic, returnWords, tellConsent } from './consent-words.ts';
import { pathOf } from './settings-values.ts';
import type { ValuesDraft } from './use-values-draft.ts';

type ConsentBlockProps = { marketplace: Consented; draft: ValuesDraft };

/** Where a seller lets their own application act for their shop: on the marketplace's page, and back. */
export function ConsentBlock({ marketplace, draft }: ConsentBlockProps): React.JSX.Element {
  const leave = useLeaveForConsent(marketplace);
  const name = MARKETPLACE_NAMES[marketplace];
  const stored = (member: string): string => String(draft.storedValue(pathOf(marketplace, member)));
  const isGiven = stored('refreshToken') !== '';
  const missing = missingForConsent(marketplace, (member) => stored(member) !== '');
  const unready = whyNot(draft, missing.length === 0 ? null : missingSentence(marketplace, missing));
  return (
    <div className="flex flex-col items-start gap-3 border-t pt-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          look={isGiven ? 'outline' : 'primary'}
          disabled={unready !== null}
          pending={leave.isPending || leave.isSuccess}
          pendingText={`Opening ${name}...`}
          onClick={() => leave.mutate()}
        >
          <ExternalLink aria-hidden />
          {isGiven ? `Connect ${name} again` : `Connect ${name}`}
        </Button>
        <p className="max-w-[60ch] text-fg-muted">
          {unready ?? consentWords(name, isGiven, stored('refreshTokenExpiresAt'))}
        </p>
      </div>
      {leave.isError && !isDeclined(leave.error) && (
        <Notice tone="danger" role="status" title={`You could not be led to ${name}`}>
          <p className="text-fg-muted">{errorText(leave.error)}</p>
        </Notice>
      )}
      <WayBack marketplace={marketplace} isUsable={unready === null} />
    </div>
  );
}

function whyNot(draft: ValuesDraft, missing: string | null): string | null {
  // Leaving the page would lose what was typed.
  if (draft.changed.length > 0) return 'Save the settings first: you leave this page to give your consent.';
  return missing;
}

/** @param endsOn a day such as "2027-05-31"; "" when nobody says */
function consentWords(name: string, isGiven: boolean, endsOn: string): string {
  if (!isGiven) return `You sign in at ${name}, agree, and come back here.`;
  return endsOn === '' ? 'Your consent is stored.' : `Your consent is stored and good until ${endsOn}.`;
}

/** How the answer comes back, and where to paste it when it does not. */
function WayBack({
  marketplace,
  isUsable,
}: {
  marketplace: Consented;
  isUsable: boolean;
}): React.JSX.Element {
  const { origin } = window.location;
  const { told, address, paste } = returnWords(marketplace, origin);
  const name = MARKETPLACE_NAMES[marketplace];
  return (
    <details className="w-full" open={!isPublic(origin) || undefined}>
      <summary className="min-h-11 cursor-pointer rounded-sm py-2 font-medium dense:min-h-8">
        How you come back from {name}
      </summary>
      <div className="mt-2 flex max-w-[80ch] flex-col gap-3">
        <p className="text-fg-muted">
          {told} <code className="font-mono break-all text-fg select-all">{address}</code>
        </p>
        <p className="text-fg-muted">{paste}</p>
        <PastedAnswer marketplace={marketplace} isUsable={isUsable} />
      </div>
    </details>
  );
}

function PastedAnswer(props: { marketplace: Consented; isUsable: boolean }): React.JSX.Element {
  const { marketplace, isUsable } = props;
  const bring = useBringConsent(marketplace);
  const [address, setAddress] = useState('');
  const refused = bring.isError && !isDeclined(bring.error) ? bring.error : null;
  const send = (): void =>
    bring.mutate(
      { address },
      {
        onSuccess: (check) => {
          setAddress('');
          tellConsent(marketplace, check);
        },
      },
    );
  return (
    <form
      className="flex flex-col items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (address.trim() !== '' && isUsable && !bring.isPending) send();
      }}
    >
      <TextField
        label={`Address you came to from ${MARKETPLACE_NAMES[marketplace]}`}
        hint="It holds a code that is good once, and for a few minutes."
        error={refused === null ? undefined : errorText(refused)}
        autoComplete="off"
        spellCheck={false}
        maxLength={8_000}
        value={address}
        onChange={(event) => {
          setAddress(event.target.value);
          if (bring.isError) bring.reset();
        }}
      />
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
