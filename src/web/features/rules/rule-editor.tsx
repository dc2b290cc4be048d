import { useBlocker } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import type { ListedRule } from '#contract/rules.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { useSaveRule } from './queries.ts';
import { differencesBetween } from './rule-differences.ts';
import { draftOf, formOf, newDraft, type RuleDraft, resolveDraft } from './rule-draft.ts';
import { RuleFields } from './rule-fields.tsx';
import { SaveFailed } from './save-failed.tsx';
import { useDraftPreview } from './use-draft-preview.ts';
import { useServerErrors } from './use-form-errors.ts';

type RuleEditorProps = {
  /** Null for a new one. */
  rule: ListedRule | null;
  rules: readonly ListedRule[];
  /** Where a new one starts, as the address says it. */
  start: unknown;
  onClose: () => void;
};

/** The form of a rule, with what it would do beside it. */
export function RuleEditor({ rule, rules, start, onClose }: RuleEditorProps): React.JSX.Element {
  // A save is held to the state that was opened, not to one that arrives while somebody types.
  const [version, setVersion] = useState(rule?.version);
  const form = useForm<RuleDraft>({
    resolver: resolveDraft,
    defaultValues: rule === null ? newDraft(start) : draftOf(rule),
    mode: 'onTouched',
  });
  const id = rule?.id ?? null;
  const preview = useDraftPreview(id, form.watch());
  const save = useSaveRule(id);
  useServerErrors(form, save.error);
  const leaving = useLeaveGuard(form);
  const send = (over: number | undefined): Promise<void> =>
    form.handleSubmit((draft) => {
      const token = preview.isCurrent ? preview.shown?.token : undefined;
      const sent = {
        ...formOf(draft),
        ...(over === undefined ? {} : { version: over }),
        ...(token === undefined ? {} : { previewToken: token }),
      };
      save.mutate(sent, { onSuccess: () => leaving.leave(onClose) });
    })();
  const keepMine = (): void => {
    if (rule === null) return;
    setVersion(rule.version);
    void send(rule.version);
  };
  const loadStored = (): void => {
    if (rule === null) return;
    form.reset(draftOf(rule));
    setVersion(rule.version);
    save.reset();
  };
  // After a conflict the list of rules is read again, and with it the version that is saved now.
  const isReadAgain = rule !== null && rule.version !== version;
  return (
    <>
      <Dialog
        open
        onClose={onClose}
        size="large"
        title={rule === null ? 'Create Rule' : `Edit rule "${rule.name}"`}
        onSubmit={() => void send(version)}
        alert={
          save.error !== null &&
          !isDeclined(save.error) && (
            <SaveFailed
              error={save.error}
              differences={isReadAgain ? differencesBetween(form.getValues(), draftOf(rule)) : null}
              onLoadStored={loadStored}
              onKeepMine={keepMine}
            />
          )
        }
        footer={
          <>
            <Button look="outline" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              pending={save.isPending}
              pendingText={rule === null ? 'Creating...' : 'Saving...'}
            >
              {rule === null ? 'Create rule' : 'Save rule'}
            </Button>
          </>
        }
      >
        <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
          <RuleFields form={form} id={id} rules={rules} />
          <PreviewPanel
            preview={preview}
            isActive={form.watch('isActive')}
            onShow={() => void form.handleSubmit((draft) => preview.show(formOf(draft)))()}
          />
        </div>
      </Dialog>
      {leaving.isAsking && (
        <AlertDialog
          open
          title="Leave without saving?"
          action="Discard changes"
          onCancel={leaving.stay}
          onConfirm={leaving.discard}
        >
          <p>What you typed in this rule is lost.</p>
        </AlertDialog>
      )}
    </>
  );
}

interface LeaveGuard {
  readonly isAsking: boolean;
  readonly stay: () => void;
  readonly discard: () => void;
  /** Goes without asking, as after a save. */
  readonly leave: (go: () => void) => void;
}

/** Asks once before typed changes are lost: on Escape, Cancel, Back, a link, and when the tab closes. */
function useLeaveGuard(form: UseFormReturn<RuleDraft>): LeaveGuard {
  const isSaved = useRef(false);
  const { isDirty } = form.formState;
  const isInDanger = (): boolean => isDirty && !isSaved.current;
  const blocker = useBlocker({
    shouldBlockFn: isInDanger,
    enableBeforeUnload: isInDanger,
    withResolver: true,
  });
  return {
    isAsking: blocker.status === 'blocked',
    stay: () => blocker.reset?.(),
    discard: () => blocker.proceed?.(),
    leave: (go) => {
      isSaved.current = true;
      go();
    },
  };
}
