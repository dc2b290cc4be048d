import { useQuery } from '@tanstack/react-query';
import { ApiError, errorText } from '#web/lib/api.ts';
import { focusFirstError } from '#web/lib/focus-first-error.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { GuardsSection } from './guards-section.tsx';
import { type StoredSettings, settingsQuery, useSaveSettings } from './queries.ts';
import { LeaveGuard, SaveBar } from './save-bar.tsx';
import { SellersSection } from './sellers-section.tsx';
import { useSettingsDraft } from './use-settings-draft.ts';

/** The settings, one card for each part, saved together. */
export function SettingsPage(): React.JSX.Element {
  const settings = useQuery(settingsQuery);
  return (
    <div className="flex flex-1 flex-col gap-6">
      <PageHeading title="Settings" subtitle="How far the engine may go, and who you are." />
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
  const draft = useSettingsDraft(stored);
  const save = useSaveSettings();
  const submit = (): void => {
    if (draft.change === null) {
      focusFirstError();
      return;
    }
    save.mutate(draft.change, {
      onSuccess: () => toast('Settings saved', 'Your settings have been saved successfully.'),
      onError: () => toast('Error', 'Failed to save settings. Please try again.', 'destructive'),
    });
  };
  const isStale = save.error instanceof ApiError && save.error.code === 'conflict';
  const takeNewValues = async (): Promise<void> => {
    await onReload();
    save.reset();
  };
  return (
    <>
      <GuardsSection draft={draft} />
      <SellersSection sellers={stored.sellers} draft={draft} />
      {save.error !== null && (
        <Notice tone="danger" role="alert" title="The settings were not saved">
          <p className="text-fg-muted">
            {isStale
              ? 'Somebody else saved settings since you opened this page. Load their values: your changes stay over them, and you can save again.'
              : errorText(save.error)}
          </p>
          {isStale && (
            <Button look="outline" className="mt-3" onClick={takeNewValues}>
              Load new values
            </Button>
          )}
        </Notice>
      )}
      {draft.changed.length > 0 && (
        <SaveBar
          changed={draft.changed}
          saving={save.isPending}
          onDiscard={() => {
            draft.discard();
            save.reset();
          }}
          onSave={submit}
        />
      )}
      <LeaveGuard isDirty={draft.changed.length > 0} />
    </>
  );
}

function SettingsSkeleton(): React.JSX.Element {
  return (
    <div role="status" className="flex flex-col gap-6">
      <span className="sr-only">Loading the settings</span>
      <Skeleton className="h-96 rounded-lg" />
      <Skeleton className="h-64 rounded-lg" />
    </div>
  );
}
