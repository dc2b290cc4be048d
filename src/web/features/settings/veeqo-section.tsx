import { Plug, RefreshCw } from 'lucide-react';
import { SECRET_MASK } from '#contract/settings.ts';
import { errorText } from '#web/lib/api.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { SecretField } from './secret-field.tsx';
import { SettingBlock, SettingsSection } from './settings-section.tsx';
import { SwitchRow } from './switch-row.tsx';
import { SyncReport } from './sync-report.tsx';
import type { ValuesDraft } from './use-values-draft.ts';
import { useVeeqoCheck, useVeeqoSync } from './veeqo-queries.ts';
import { syncFailureText } from './veeqo-sync-text.ts';

type VeeqoSectionProps = { draft: ValuesDraft; fieldError: string | undefined };

/** The inventory provider, a source of SKUs besides files. */
export function VeeqoSection({ draft, fieldError }: VeeqoSectionProps): React.JSX.Element {
  const isEnabled = draft.isOn('veeqo.enabled');
  return (
    <SettingsSection
      id="inventory"
      subtitle="Import SKUs from Veeqo. A sync adds new SKUs with name, cost and weight and does not change existing ones."
    >
      <SwitchRow
        label="Enable Veeqo"
        hint="When off, SKUs are no longer imported from Veeqo. Existing SKUs and the API key are kept."
        checked={isEnabled}
        onChange={(isOn) => draft.set('veeqo.enabled', isOn)}
        badge={
          isEnabled && (
            <Badge tone="success" icon={Plug}>
              Connected
            </Badge>
          )
        }
      />
      {isEnabled && (
        <SettingBlock>
          <SecretField
            key={draft.stored.version}
            label="Veeqo API key"
            fullName="Veeqo API key"
            hint="The API key of an employee, in Veeqo under Settings, Employees."
            value={draft.text('veeqo.apiKey')}
            isStored={draft.storedValue('veeqo.apiKey') === SECRET_MASK}
            error={fieldError}
            onChange={(value) => draft.set('veeqo.apiKey', value)}
          />
        </SettingBlock>
      )}
      {/* A result for the API key of before the save is outdated. */}
      {isEnabled && <VeeqoActions key={draft.stored.version} draft={draft} />}
    </SettingsSection>
  );
}

function VeeqoActions({ draft }: { draft: ValuesDraft }): React.JSX.Element {
  const sync = useVeeqoSync();
  const check = useVeeqoCheck();
  const { veeqo } = draft.stored;
  const isReady = veeqo.enabled && veeqo.apiKey !== '';
  const isBusy = sync.isPending || check.isPending;
  return (
    <SettingBlock>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          look="outline"
          disabled={!isReady || isBusy}
          pending={sync.isPending}
          pendingText="Syncing..."
          onClick={() => sync.mutate()}
        >
          <RefreshCw aria-hidden />
          Sync from Veeqo
        </Button>
        <Button
          look="outline"
          disabled={!isReady || isBusy}
          pending={check.isPending}
          pendingText="Testing..."
          onClick={() => check.mutate()}
        >
          Test connection
        </Button>
        <p className="text-fg-muted">
          {veeqo.lastSync === null ? (
            'Never synced.'
          ) : (
            <>
              Last sync <MomentText iso={veeqo.lastSync} />
            </>
          )}
        </p>
      </div>
      {draft.isChanged('veeqo') && (
        <p className="text-fg-muted">Save the settings first. A sync uses the saved settings.</p>
      )}
      <CheckResult check={check} />
      {sync.isSuccess && <SyncReport result={sync.data} />}
      {sync.isError && (
        <Callout tone="danger" role="alert" title="Sync failed">
          <p className="text-fg-muted">{syncFailureText(sync.error)} Nothing was imported.</p>
        </Callout>
      )}
    </SettingBlock>
  );
}

function CheckResult({ check }: { check: ReturnType<typeof useVeeqoCheck> }): React.JSX.Element | null {
  const { data, error, isPending } = check;
  if (isPending) return null;
  if (data?.success === true) {
    return (
      <Callout tone="success" role="status" title="Veeqo accepts the stored key">
        <p className="text-fg-muted">
          Tested <MomentText iso={data.checkedAt} />
        </p>
      </Callout>
    );
  }
  const problem = error === null ? data?.error : errorText(error);
  return problem == null ? null : (
    <Callout tone="danger" role="status" title="Could not connect to Veeqo">
      <p className="text-fg-muted">{problem}</p>
    </Callout>
  );
}
