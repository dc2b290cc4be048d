import { useQuery } from '@tanstack/react-query';
import { ApiError, errorText } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { BooksSection } from './books-section.tsx';
import { GeneralSection } from './general-section.tsx';
import { MarketplacesSection } from './marketplaces-section.tsx';
import { type StoredSettings, settingsQuery } from './queries.ts';
import { RepricingLimitsSection } from './repricing-limits-section.tsx';
import { LeaveGuard, SaveBar } from './save-bar.tsx';
import { SellersSection } from './sellers-section.tsx';
import { useSettingsForm } from './use-settings-form.ts';
import { VeeqoSection } from './veeqo-section.tsx';

/** The settings: one card per section, saved together. */
export function SettingsPage(): React.JSX.Element {
  const settings = useQuery(settingsQuery);
  return (
    <div className="flex flex-1 flex-col gap-6">
      <PageHeading title="Settings" subtitle="Repricing, inventory and marketplace connections." />
      <QueryView
        query={settings}
        loading={<SettingsSkeleton />}
        failed={(error, retry) => (
          <LoadFailed
            title="Failed to load the settings"
            error={error}
            onRetry={retry}
            retrying={settings.isFetching}
          />
        )}
      >
        {(stored) => <SettingsForm stored={stored} onReload={() => settings.refetch()} />}
      </QueryView>
    </div>
  );
}

type SettingsFormProps = { stored: StoredSettings; onReload: () => Promise<unknown> };

function SettingsForm({ stored, onReload }: SettingsFormProps): React.JSX.Element {
  const form = useSettingsForm(stored);
  const { values, draft, changed, save } = form;
  const { secretProblem } = stored.settings;
  const takeNewValues = async (): Promise<void> => {
    await onReload();
    save.reset();
  };
  return (
    <>
      {secretProblem !== null && (
        <Callout tone="danger" title="Stored credentials cannot be decrypted">
          <p className="text-fg-muted">{secretProblem}</p>
        </Callout>
      )}
      <GeneralSection draft={values} />
      <VeeqoSection draft={values} fieldError={form.errors['veeqo.apiKey']} />
      <MarketplacesSection
        draft={values}
        errors={form.errors}
        wrong={form.wrong}
        onShown={form.onShown}
        listingsOn={(marketplace) =>
          stored.sellers.find((each) => each.marketplace === marketplace)?.listings ?? 0
        }
      />
      <SellersSection sellers={stored.sellers} draft={draft} />
      <RepricingLimitsSection draft={draft} />
      <BooksSection />
      {save.error !== null && <NotSaved error={save.error} onReload={takeNewValues} />}
      <SaveBar changed={changed} saving={save.isPending} onDiscard={form.discard} onSave={form.submit} />
      <LeaveGuard isDirty={changed.length > 0} />
    </>
  );
}

function NotSaved({ error, onReload }: { error: Error; onReload: () => void }): React.JSX.Element {
  const isStale = error instanceof ApiError && error.code === 'conflict';
  return (
    <Callout tone="danger" role="alert" title="Could not save the settings">
      <p className="text-fg-muted">
        {isStale
          ? 'Settings were saved elsewhere after you opened this page. Load the new values; your changes are kept, and you can save again.'
          : errorText(error)}
      </p>
      {isStale && (
        <Button look="outline" className="mt-3" onClick={onReload}>
          Load new values
        </Button>
      )}
    </Callout>
  );
}

function SettingsSkeleton(): React.JSX.Element {
  return (
    <div role="status" className="flex flex-col gap-6">
      <span className="sr-only">Loading the settings</span>
      <Skeleton className="h-80 rounded-lg" />
      <Skeleton className="h-56 rounded-lg" />
      <Skeleton className="h-96 rounded-lg" />
    </div>
  );
}
