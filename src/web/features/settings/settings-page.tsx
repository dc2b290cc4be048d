import { useQuery } from '@tanstack/react-query';
import { ApiError, errorText } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Card } from '#web/ui/card.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { BackupsSection } from './backups-section.tsx';
import { BooksSection } from './books-section.tsx';
import { GeneralSection } from './general-section.tsx';
import { MarketplacesSection } from './marketplaces-section.tsx';
import { ProviderSection } from './provider-section.tsx';
import { type StoredSettings, settingsQuery } from './queries.ts';
import { RepricingLimitsSection } from './repricing-limits-section.tsx';
import { LeaveGuard, SaveBar } from './save-bar.tsx';
import { SectionNavigation } from './section-navigation.tsx';
import { SECTION_TITLES, SECTIONS, type SectionId } from './sections.ts';
import { SellersSection } from './sellers-section.tsx';
import { TokensSection } from './tokens-section.tsx';
import { useReportedSections } from './unsaved-sections.ts';
import { type SettingsForm as SettingsFormState, useSettingsForm } from './use-settings-form.ts';
import { VeeqoSection } from './veeqo-section.tsx';
import { WebhooksSection } from './webhooks-section.tsx';

const GENERAL_SETTINGS = ['autoRepricing', 'checkInterval', 'timeZone', 'notifications'] as const;

/** The settings: links to the sections next to one card for each, saved together. */
export function SettingsPage(): React.JSX.Element {
  const settings = useQuery(settingsQuery);
  return (
    <div className="flex flex-1 flex-col gap-4">
      <PageHeading title="Settings" subtitle="Repricing, inventory and marketplace connections" />
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
  const [reported, report] = useReportedSections();
  const unsaved = new Set([...unsavedSections(form), ...reported]);
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
      <div className="flex flex-1 flex-col gap-x-8 gap-y-4 lg:flex-row">
        <SectionNavigation unsaved={unsaved} />
        <div className="flex w-full min-w-0 flex-1 flex-col gap-4 lg:max-w-190">
          <GeneralSection draft={values} />
          <RepricingLimitsSection draft={draft} />
          <SellersSection sellers={stored.sellers} draft={draft} />
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
          <BackupsSection onUnsaved={report} />
          <BooksSection />
          <ProviderSection onUnsaved={report} />
          <TokensSection />
          <WebhooksSection />
          {save.error !== null && <NotSaved error={save.error} onReload={takeNewValues} />}
          <SaveBar
            changed={changed}
            elsewhere={[...reported].map((id) => SECTION_TITLES[id])}
            saving={save.isPending}
            onDiscard={form.discard}
            onSave={form.submit}
          />
        </div>
      </div>
      <LeaveGuard isDirty={unsaved.size > 0} />
    </>
  );
}

/** Those that Save All Settings saves. */
function unsavedSections({ values, draft }: SettingsFormState): ReadonlySet<SectionId> {
  const isOf = (part: string): boolean => values.isChanged(part);
  const isGeneral = GENERAL_SETTINGS.some((path) => values.isFieldChanged(path));
  const changed: readonly (readonly [SectionId, boolean])[] = [
    ['general', isGeneral],
    ['limits', draft.hasChangedLimits],
    ['own-sellers', draft.hasChangedSellers],
    ['inventory', isOf('veeqo')],
    ['marketplaces', isOf('marketplaces')],
  ];
  return new Set(changed.flatMap(([id, isChanged]) => (isChanged ? [id] : [])));
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
    <div role="status" className="flex flex-col gap-x-8 gap-y-4 lg:flex-row">
      <span className="sr-only">Loading the settings</span>
      <div className="flex h-11 items-center gap-x-4.5 overflow-hidden lg:h-auto lg:w-57 lg:flex-col lg:items-start">
        {SECTIONS.map((id) => (
          <div key={id} className="flex h-8 shrink-0 items-center lg:px-2.5">
            <Skeleton className="h-3 w-32" />
          </div>
        ))}
      </div>
      <Card className="w-full divide-y divide-border p-0 lg:max-w-190">
        {['w-1/4', 'w-1/3', 'w-1/5', 'w-1/6', 'w-2/5', 'w-1/2'].map((width) => (
          <div key={width} className="flex h-15 flex-col justify-center gap-2 px-4">
            <Skeleton className={`h-3 ${width}`} />
            <Skeleton className="h-2.5 w-2/3" />
          </div>
        ))}
      </Card>
    </div>
  );
}
