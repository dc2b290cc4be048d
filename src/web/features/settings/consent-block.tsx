import { ExternalLink } from 'lucide-react';
import { SECRET_MASK } from '#contract/settings.ts';
import { type Consented, missingForConsent, missingSentence } from '#domain/connections/credentials.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { errorText } from '#web/lib/api.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { useLeaveForConsent } from './consent-queries.ts';
import { consentText, isPublic, returnText } from './consent-text.ts';
import { PastedAnswer } from './pasted-answer.tsx';
import { pathOf } from './settings-values.ts';
import type { ValuesDraft } from './use-values-draft.ts';

type ConsentBlockProps = { marketplace: Consented; draft: ValuesDraft };

/** Authorizes the seller's own application on the marketplace's page, and returns. */
export function ConsentBlock({ marketplace, draft }: ConsentBlockProps): React.JSX.Element {
  const leave = useLeaveForConsent(marketplace);
  const name = MARKETPLACE_NAMES[marketplace];
  const stored = (member: string): string => String(draft.storedValue(pathOf(marketplace, member)));
  const isGiven = stored('refreshToken') !== '';
  const isRemoved = isGiven && draft.text(pathOf(marketplace, 'refreshToken')) === '';
  const missing = missingForConsent(marketplace, (member) => stored(member) !== '');
  const unready = whyNot(draft, missing.length === 0 ? null : missingSentence(marketplace, missing));
  const state = isRemoved
    ? `${name} is disconnected when you save. Nothing is synced or sent after that.`
    : (unready ?? consentText(name, isGiven, stored('refreshTokenExpiresAt')));
  return (
    <div className="flex flex-col items-start gap-3 border-t pt-4">
      <p className="text-fg-muted">{state}</p>
      <div className="flex flex-wrap gap-2">
        <Button
          look="outline"
          disabled={unready !== null}
          pending={leave.isPending || leave.isSuccess}
          pendingText={`Opening ${name}...`}
          onClick={() => leave.mutate()}
        >
          <ExternalLink aria-hidden />
          {isGiven ? `Connect ${name} again` : `Connect ${name}`}
        </Button>
        {isGiven && <Disconnect {...{ marketplace, draft, isRemoved }} />}
      </div>
      {leave.isError && !isDeclined(leave.error) && (
        <Callout tone="danger" role="status" title={`Could not open ${name}`}>
          <p className="text-fg-muted">{errorText(leave.error)}</p>
        </Callout>
      )}
      <WayBack marketplace={marketplace} isUsable={unready === null} />
    </div>
  );
}

function whyNot(draft: ValuesDraft, missing: string | null): string | null {
  // Leaving the page would discard typed text.
  if (draft.changed.length > 0) return 'Save the settings first. You leave this page to authorize access.';
  return missing;
}

/** Removes the consent with the next save; until then it can be kept. */
function Disconnect(props: ConsentBlockProps & { isRemoved: boolean }): React.JSX.Element {
  const { marketplace, draft, isRemoved } = props;
  const token = pathOf(marketplace, 'refreshToken');
  const end = pathOf(marketplace, 'refreshTokenExpiresAt');
  const day = draft.storedValue(end);
  const set = (kept: boolean): void => {
    draft.set(token, kept ? SECRET_MASK : '');
    if (day !== '') draft.set(end, kept ? day : '');
  };
  return (
    <Button look="outline" onClick={() => set(isRemoved)}>
      {isRemoved ? 'Keep connected' : `Disconnect ${MARKETPLACE_NAMES[marketplace]}`}
    </Button>
  );
}

/** How the answer is returned, and where to paste it otherwise. */
function WayBack({
  marketplace,
  isUsable,
}: {
  marketplace: Consented;
  isUsable: boolean;
}): React.JSX.Element {
  const { origin } = window.location;
  const { told, address, paste } = returnText(marketplace, origin);
  return (
    <details className="w-full" open={!isPublic(origin) || undefined}>
      <summary className="min-h-11 cursor-pointer rounded-sm py-2 font-medium dense:min-h-8">
        How you return from {MARKETPLACE_NAMES[marketplace]}
      </summary>
      <div className="mt-2 flex max-w-[80ch] flex-col gap-3">
        {told !== null && (
          <div>
            <p className="text-fg-muted">{told}</p>
            <code className="font-mono break-all select-all">{address}</code>
          </div>
        )}
        <p className="text-fg-muted">{paste}</p>
        <PastedAnswer marketplace={marketplace} isUsable={isUsable} />
      </div>
    </details>
  );
}
