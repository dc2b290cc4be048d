import { useBlocker } from '@tanstack/react-router';
import { classNames } from '#web/lib/class-names.ts';
import { countOf } from '#web/lib/format.ts';
import { KEYS } from '#web/lib/keys.ts';
import { useShortcut } from '#web/lib/shortcuts.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Tip } from '#web/ui/tooltip.tsx';

type SaveBarProps = {
  /** Names of the changed fields. */
  changed: readonly string[];
  saving: boolean;
  onDiscard: () => void;
  onSave: () => void;
};

/** At the end of the page; stays visible while there are unsaved changes: lists them, with Save and Discard. */
export function SaveBar({ changed, saving, onDiscard, onSave }: SaveBarProps): React.JSX.Element {
  const isDirty = changed.length > 0;
  useShortcut(KEYS.save, saving ? () => undefined : onSave);
  // One element in both states, so that the pressed button keeps the focus.
  return (
    <section
      data-save-bar={isDirty || undefined}
      aria-label={isDirty ? 'Unsaved changes' : undefined}
      className={classNames(
        'flex flex-wrap items-center justify-end gap-x-4 gap-y-2',
        isDirty &&
          'sticky bottom-4 z-10 rounded-lg border border-border-control bg-raised px-4 py-3 shadow-floating',
      )}
    >
      {isDirty && (
        <p className="min-w-0 flex-1 basis-64">
          <span className="font-semibold">
            {countOf(changed.length, 'unsaved change', 'unsaved changes')}:
          </span>{' '}
          <span className="text-fg-muted">{changed.join(', ')}</span>
        </p>
      )}
      <div className="flex gap-2">
        {isDirty && (
          <Button look="outline" onClick={onDiscard} disabled={saving}>
            Discard
          </Button>
        )}
        <Tip text="Save" shortcut={KEYS.save}>
          <Button onClick={onSave} pending={saving} pendingText="Saving...">
            Save All Settings
          </Button>
        </Tip>
      </div>
    </section>
  );
}

/** Asks before unsaved changes are lost, on navigation and when the tab closes. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }): React.JSX.Element {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <AlertDialog
      open={status === 'blocked'}
      onCancel={() => reset?.()}
      title="Leave without saving?"
      action="Leave"
      onConfirm={() => proceed?.()}
    >
      <p>Your changes on this page are not saved and will be lost.</p>
    </AlertDialog>
  );
}
