import { useBlocker } from '@tanstack/react-router';
import { countOf } from '#web/lib/format.ts';
import { KEYS } from '#web/lib/keys.ts';
import { useShortcut } from '#web/lib/shortcuts.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Tip } from '#web/ui/tooltip.tsx';

type SaveBarProps = {
  /** Names of the changed fields. */
  changed: readonly string[];
  /** Names of changed sections with a save of their own. */
  elsewhere: readonly string[];
  saving: boolean;
  onDiscard: () => void;
  onSave: () => void;
};

/** Always at the bottom of the screen: says what is not saved, with Save and Discard; without changes there is nothing to save. */
export function SaveBar({ changed, elsewhere, saving, onDiscard, onSave }: SaveBarProps): React.JSX.Element {
  const isDirty = changed.length > 0;
  useShortcut(KEYS.save, saving || !isDirty ? () => undefined : onSave);
  // One element in both states, so that the pressed button keeps the focus.
  return (
    <section
      data-save-bar
      aria-label={isDirty || elsewhere.length > 0 ? 'Unsaved changes' : 'Save'}
      className="sticky bottom-3 z-20 -mx-2 mt-auto flex items-center gap-2 rounded-xl bg-raised px-4 py-2.5 shadow-floating lg:mx-0"
    >
      <p className="min-w-0 flex-1 truncate" title={isDirty ? changed.join(', ') : undefined}>
        {isDirty ? (
          <>
            <span className="font-medium">
              {countOf(changed.length, 'unsaved change', 'unsaved changes')}
              <span className="max-sm:sr-only">: </span>
            </span>
            <span className="text-fg-muted max-sm:sr-only">{changed.join(', ')}</span>
          </>
        ) : (
          elsewhere.length === 0 && <span className="text-fg-muted">No unsaved changes</span>
        )}
        {elsewhere.length > 0 && (
          <span className={isDirty ? 'text-fg-muted' : 'font-medium'}>
            {isDirty ? ', and in ' : 'Unsaved changes in '}
            {elsewhere.join(' and ')}
          </span>
        )}
      </p>
      {isDirty && (
        <Button look="quiet" onClick={onDiscard} disabled={saving}>
          Discard
        </Button>
      )}
      <Tip text="Save" shortcut={KEYS.save}>
        {/* Not disabled without changes: it would lose the focus as soon as they are saved. */}
        <Button
          onClick={onSave}
          pending={saving}
          pendingText="Saving..."
          {...(isDirty || saving
            ? {}
            : { 'aria-disabled': true, className: 'cursor-not-allowed opacity-50' })}
        >
          Save All Settings
        </Button>
      </Tip>
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
