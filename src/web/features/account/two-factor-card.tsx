import { ShieldCheck, ShieldOff } from 'lucide-react';
import { useState } from 'react';
import { type Account, RECOVERY_CODES } from '#contract/account.ts';
import { countOf } from '#web/lib/format.ts';
import { formatMoment } from '#web/lib/moments.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { AccountSection } from './account-section.tsx';
import { EnrolDialog } from './enrol-dialog.tsx';
import { NewCodesDialog } from './new-codes-dialog.tsx';
import { TurnOffDialog } from './turn-off-dialog.tsx';

/** At or below this number of recovery codes the card suggests new ones. */
const FEW_CODES = 3;

type OpenDialog = 'enrol' | 'codes' | 'off' | null;

/** The state of the second factor, and its actions. */
export function TwoFactorCard({ account }: { account: Account }): React.JSX.Element {
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const close = (): void => setDialog(null);
  const { twoFactorEnabled, twoFactorRequired } = account;
  return (
    <AccountSection
      title="Two-factor authentication"
      subtitle="Requires a code from an app on your phone at every login, so a stolen password is not enough."
    >
      {twoFactorEnabled ? (
        <StateOn account={account} />
      ) : (
        <>
          <p>
            <Badge tone="neutral" icon={ShieldOff}>
              2FA Disabled
            </Badge>
          </p>
          {twoFactorRequired && (
            <Callout tone="info" title="Turn it on to continue">
              <p className="text-fg-muted">Some actions require it.</p>
            </Callout>
          )}
        </>
      )}
      {/* One element in both states: the focus returns to it when a dialog closes. */}
      <div className="flex flex-wrap gap-2">
        {twoFactorEnabled && (
          <Button look="outline" onClick={() => setDialog('codes')}>
            New recovery codes
          </Button>
        )}
        <Button key="switch" look="outline" onClick={() => setDialog(twoFactorEnabled ? 'off' : 'enrol')}>
          {twoFactorEnabled ? 'Turn off' : 'Turn on'}
        </Button>
      </div>
      {dialog === 'enrol' && <EnrolDialog onClose={close} />}
      {dialog === 'codes' && <NewCodesDialog onClose={close} />}
      {dialog === 'off' && <TurnOffDialog isRequired={twoFactorRequired} onClose={close} />}
    </AccountSection>
  );
}

function StateOn({
  account: { twoFactorSince, recoveryCodesLeft },
}: {
  account: Account;
}): React.JSX.Element {
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone="success" icon={ShieldCheck}>
          2FA Enabled
        </Badge>
        {twoFactorSince !== null && <span>Since {formatMoment(twoFactorSince, 'short')}</span>}
        <span className="text-fg-muted tabular-nums">
          Recovery codes left: {recoveryCodesLeft} of {RECOVERY_CODES}
        </span>
      </p>
      {recoveryCodesLeft <= FEW_CODES && (
        <Callout
          tone="danger"
          title={
            recoveryCodesLeft === 0
              ? 'No recovery codes left'
              : `Only ${countOf(recoveryCodesLeft, 'recovery code', 'recovery codes')} left`
          }
        >
          <p className="text-fg-muted">
            Without a code and without your phone, only an administrator can restore your access. Create new
            codes now.
          </p>
        </Callout>
      )}
    </>
  );
}
