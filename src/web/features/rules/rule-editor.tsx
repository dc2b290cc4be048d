import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { ListedRule } from '#contract/rules.ts';
import { countOf } from '#web/lib/format.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { TimeZoneDialog } from '#web/ui/time-zone-dialog.tsx';
import { type AddressScope, scopedDraft } from './address-scope.ts';
import { CopyCard, type RuleCopy } from './copy-card.tsx';
import { LivePreview } from './live-preview.tsx';
import { differencesBetween } from './rule-differences.ts';
import { draftOf, formOf, newDraft, type RuleDraft, resolveDraft } from './rule-draft.ts';
import { RuleFields } from './rule-fields.tsx';
import { RuleFigures } from './rule-figures.tsx';
import { SaveFailed } from './save-failed.tsx';
import { isCrowdedOutOf, PriorityOffer } from './scope-counts.tsx';
import { dependsOnTime, useStoreZone, zoneName } from './store-time.ts';
import { PREVIEW_ID, useDraftPreview } from './use-draft-preview.ts';
import { useLeaveGuard } from './use-leave-guard.ts';
import { useRuleSave } from './use-rule-save.ts';
import { useScopeCounts } from './use-scope-counts.ts';

/** Rules that were copied for the same listings, with their copies, and the points. */
export interface CopiedBefore {
  readonly ids: readonly string[];
  readonly points: string;
}

type RuleEditorProps = {
  /** Null for a new one. */
  rule: ListedRule | null;
  /** What a new one starts from, from the address. */
  start: unknown;
  /** The listings that a new one is for, from the address; null for any. */
  scope: AddressScope | null;
  /** The stored rules, which a new one can copy. */
  rules: readonly ListedRule[];
  /** What was copied for these listings before this one. */
  copied: CopiedBefore;
  /** @param copy what a new rule is a copy of; null for none. @param made its ID */
  onSaved: (copy: RuleCopy | null, made: string) => void;
  onClose: () => void;
};

/** The form, and the preview where it has room next to it. */
export const EDITOR_COLUMNS =
  'grid flex-1 items-start gap-3 xl:grid-cols-[minmax(0,1fr)_28rem] xl:gap-4 wide:grid-cols-[minmax(0,1fr)_31.25rem]';

/** The form of a rule, with its live preview next to it, below it on phones. */
export function RuleEditor(props: RuleEditorProps): React.JSX.Element {
  const { rule, start, scope: ofAddress, rules, copied, onClose } = props;
  const [copy, setCopy] = useState<RuleCopy | null>(null);
  const form = useForm<RuleDraft>({
    resolver: resolveDraft,
    defaultValues:
      rule === null ? { ...newDraft(start), ...(ofAddress && scopedDraft(ofAddress)) } : draftOf(rule),
    mode: 'onTouched',
  });
  const id = rule?.id ?? null;
  const draft = form.watch();
  const preview = useDraftPreview(id, draft);
  const scope = useScopeCounts(id, draft);
  const zone = useStoreZone();
  const [isAskingZone, setIsAskingZone] = useState(false);
  const leaving = useLeaveGuard(form);
  const save = useRuleSave({
    rule,
    form,
    preview,
    onSaved: (made) => leaving.leave(() => props.onSaved(copy, made)),
  });
  const offer = isCrowdedOutOf(scope) && (
    <PriorityOffer
      priority={draft.scope.priority}
      onPriority={(priority) => {
        form.setValue('scope.priority', priority, { shouldDirty: true });
        // The offer disappears then, and the focus must not get lost with it.
        document.getElementById(PREVIEW_ID)?.focus();
      }}
    />
  );
  return (
    <div
      role="dialog"
      aria-label={rule === null ? 'Create Rule' : `Edit rule "${rule.name}"`}
      className="flex flex-1 flex-col gap-4"
    >
      <form
        noValidate
        className="flex flex-1 flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (zone === null && dependsOnTime(formOf(draft)))
            void form.handleSubmit(() => setIsAskingZone(true))();
          else save.send();
        }}
        onKeyDown={(event) => {
          if (event.defaultPrevented) return;
          if (event.key === 'Escape') onClose();
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          // Prevents the browser's own submit, which Enter in a field would trigger.
          event.preventDefault();
          event.currentTarget.requestSubmit();
        }}
      >
        <div className={EDITOR_COLUMNS}>
          <div className="flex min-w-0 flex-col gap-3">
            {ofAddress !== null && (
              <CopyCard
                scope={ofAddress}
                rules={rules}
                done={copied.ids}
                startPoints={copied.points}
                onCopy={(copiedDraft, chosen) => {
                  setCopy(chosen);
                  form.reset(copiedDraft, { keepDefaultValues: true });
                  form.setFocus('name');
                }}
              />
            )}
            <RuleFields form={form} id={id} preview={preview} scope={scope} />
          </div>
          <LivePreview
            id={id}
            preview={preview}
            isActive={draft.isActive}
            offer={offer}
            stored={rule !== null && <RuleFigures rule={rule} lead="As saved:" />}
          />
        </div>
        <SaveBar
          text={unsavedText(form.formState.isDirty, rule, draft, zoneName(zone))}
          action={rule === null ? 'Create rule' : 'Save rule'}
          pending={save.isPending ? (rule === null ? 'Creating...' : 'Saving...') : null}
          onCancel={onClose}
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
        />
      </form>
      {isAskingZone && (
        <TimeZoneDialog
          purpose="save"
          onCancel={() => setIsAskingZone(false)}
          onSave={() => {
            setIsAskingZone(false);
            save.send();
          }}
        />
      )}
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
    </div>
  );
}

/** "2 unsaved changes: Name, Strategy"; a new rule has nothing to compare with. */
function unsavedText(isDirty: boolean, rule: ListedRule | null, draft: RuleDraft, zone: string): string {
  if (!isDirty || rule === null) return '';
  const labels = differencesBetween(draft, draftOf(rule), zone).map(({ label }) => label);
  return labels.length === 0
    ? ''
    : `${countOf(labels.length, 'unsaved change', 'unsaved changes')}: ${labels.join(', ')}`;
}

type SaveBarProps = {
  text: string;
  action: string;
  /** The text of the running save; null without one. */
  pending: string | null;
  onCancel: () => void;
  alert: React.ReactNode;
};

/** Stays at the bottom of the window, with the error of the last save above the buttons. */
function SaveBar({ text, action, pending, onCancel, alert }: SaveBarProps): React.JSX.Element {
  return (
    <div className="sticky bottom-0 z-20 -mx-4 mt-auto flex flex-col gap-3 border-t bg-surface px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:mx-0 md:rounded-t-lg md:border-x print:hidden">
      {alert}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="min-w-0 flex-1 truncate text-sm text-fg-muted">{text}</p>
        <Button look="outline" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" pending={pending !== null} pendingText={pending ?? undefined}>
          {action}
        </Button>
      </div>
    </div>
  );
}
