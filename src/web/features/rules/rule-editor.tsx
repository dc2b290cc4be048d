import { useBlocker } from '@tanstack/react-router';
import { useRef } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import type { ListedRule } from '#contract/rules.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { draftOf, formOf, newDraft, type RuleDraft, resolveDraft } from './rule-draft.ts';
import { RuleFields } from './rule-fields.tsx';
import { SaveFailed } from './save-failed.tsx';
import { useDraftPreview } from './use-draft-preview.ts';
import { useRuleSave } from './use-rule-save.ts';

type RuleEditorProps = {
  /** Null for a new one. */
  rule: ListedRule | null;
  rules: readonly ListedRule[];
  /** The template of a new one, from the address. */
  start: unknown;
  onClose: () => void;
};

/** The form of a rule, with its preview. */
export function RuleEditor({ rule, rules, start, onClose }: RuleEditorProps): React.JSX.Element {
  const form = useForm<RuleDraft>({
    resolver: resolveDraft,
    defaultValues: rule === null ? newDraft(start) : draftOf(rule),
    mode: 'onTouched',
  });
  const id = rule?.id ?? null;
  const preview = useDraftPreview(id, form.watch());
  const leaving = useLeaveGuard(form);
  const save = useRuleSave({ rule, form, preview, onSaved: () => leaving.leave(onClose) });
  return (
    <>
      <Dialog
        open
        onClose={onClose}
        size="large"
        title={rule === null ? 'Create Rule' : `Edit rule "${rule.name}"`}
        onSubmit={save.send}
        alert={
          save.error !== null && (
            <SaveFailed
              error={save.error}
              differences={save.differences}
              onLoadStored={save.loadStored}
              onKeepMine={save.keepMine}
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
          <p>Your changes to this rule will be lost.</p>
        </AlertDialog>
      )}
    </>
  );
}

interface LeaveGuard {
  readonly isAsking: boolean;
  readonly stay: () => void;
  readonly discard: () => void;
  /** Closes without asking, as after a save. */
  readonly leave: (go: () => void) => void;
}

/** Asks before typed changes are lost: on Escape, Cancel, Back, a link, and when the tab closes. */
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
