import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Star } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { RuleFields, type RuleForm } from '#contract/rules.ts';
import { RULE_TEMPLATES, type RuleTemplate } from '#domain/lines/templates.ts';
import { ApiError, errorText } from '#web/lib/api.ts';
import { classNames } from '#web/lib/class-names.ts';
import { formatCount } from '#web/lib/format.ts';
import { useDebounced } from '#web/lib/use-debounced.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { foldClasses } from './fold-classes.ts';
import { previewQuery } from './queries.ts';
import { BLANK_DRAFT, formOf, type RuleDraft, withTemplate } from './rule-draft.ts';
import { isCrowdedOutOf } from './scope-counts.tsx';
import { haveTimes } from './store-time.ts';
import { TimeZoneNote } from './time-zone-note.tsx';
import type { ScopeCounts } from './use-scope-counts.ts';

/** Shown before "Show all". */
const FIRST = 4;
/** Milliseconds without an edit until the counts follow it. */
const PAUSE = 400;

type TemplateGalleryProps = { form: UseFormReturn<RuleDraft>; draft: RuleDraft; scope: ScopeCounts };

/** One line that opens the templates of lines. */
export function TemplateGallery(props: TemplateGalleryProps): React.JSX.Element {
  const contentId = useId();
  const [isOpen, setOpen] = useState(false);
  const [recommended] = RULE_TEMPLATES;
  return (
    <Card className="p-0">
      <h2>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={contentId}
          onClick={() => setOpen(!isOpen)}
          className={foldClasses}
        >
          Start from a template
          {!isOpen && (
            <span className="min-w-0 flex-1 truncate text-right text-sm font-normal text-fg-muted">
              {RULE_TEMPLATES.length} templates of lines{recommended && `, such as ${recommended.name}`}
            </span>
          )}
          <ChevronDown aria-hidden className={classNames('ml-auto size-4', isOpen && 'rotate-180')} />
        </button>
      </h2>
      <div id={contentId} hidden={!isOpen} className="border-t p-4">
        {isOpen && <Templates {...props} />}
      </div>
    </Card>
  );
}

/** The recommended one first, each with what it would do to this catalog. */
function Templates({ form, draft, scope }: TemplateGalleryProps): React.JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const [settled, setSettled] = useState(0);
  // In the scope of the draft, without what else was typed.
  const { marketplace, fulfillmentType } = draft;
  const place = { marketplace, fulfillmentType, scope: draft.scope };
  const shown = isWhole ? RULE_TEMPLATES : RULE_TEMPLATES.slice(0, FIRST);
  return (
    <div className="flex flex-col gap-3">
      <p className="min-h-[2lh] text-sm text-fg-muted sm:min-h-[1lh]">{effectText(scope)}</p>
      <ul className="grid gap-3 sm:grid-cols-2">
        {shown.map((template, index) => (
          <TemplateCard
            key={template.name}
            template={template}
            place={place}
            isRecommended={index === 0}
            // One after the other: each goes over the whole catalog.
            isRequested={index <= settled}
            onSettled={() => setSettled((known) => Math.max(known, index + 1))}
            onUse={() => applyTemplate(form, template)}
          />
        ))}
      </ul>
      {!isWhole && (
        <Button look="quiet" className="-ml-3 self-start" onClick={() => setWhole(true)}>
          Show all {RULE_TEMPLATES.length} templates
        </Button>
      )}
    </div>
  );
}

/** Says once why no template would change anything; else what a template is. */
function effectText(scope: ScopeCounts): string {
  if (isCrowdedOutOf(scope))
    return 'Other rules price all of these listings, so a template would change nothing yet.';
  return scope.shown?.matching === 0
    ? 'No listing matches yet, so a template would change nothing.'
    : 'A template is lines that you can edit.';
}

type TemplateCardProps = {
  place: Pick<RuleDraft, 'marketplace' | 'fulfillmentType' | 'scope'>;
  template: RuleTemplate;
  isRecommended: boolean;
  isRequested: boolean;
  onSettled: () => void;
  onUse: () => void;
};

function TemplateCard(props: TemplateCardProps): React.JSX.Element {
  const { template, place, isRecommended, isRequested, onSettled, onUse } = props;
  const { name, summary, whenToUse, changesADay } = template;
  const requested = { ...formOf(withTemplate({ ...BLANK_DRAFT, ...place }, template)), name: 'Draft' };
  const isReadable = RuleFields.safeParse(requested).success;
  const settled = useDebounced(JSON.stringify(requested), PAUSE);
  const query = useQuery({
    ...previewQuery(null, JSON.parse(settled) as RuleForm),
    enabled: isRequested && isReadable,
    staleTime: 60_000,
  });
  const isSettled = query.isSuccess || query.isError;
  const notify = useEffectEvent(onSettled);
  useEffect(() => {
    if (isSettled) notify();
  }, [isSettled]);
  const unusable =
    query.error instanceof ApiError && query.error.code === 'validation_failed' ? query.error : null;
  return (
    <li className="flex flex-col gap-1.5 rounded-md border p-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-semibold">{name}</h3>
        {isRecommended && (
          <Badge tone="info" icon={Star}>
            Recommended
          </Badge>
        )}
      </div>
      <p className="text-sm">{summary}</p>
      <p className="text-sm text-fg-muted">{whenToUse}</p>
      {changesADay !== null && <p className="text-sm text-fg-muted">{changesText(changesADay)}</p>}
      <p className="min-h-[1lh] text-sm font-medium tabular-nums" aria-live="off">
        {unusable !== null
          ? `Not usable yet: ${errorText(unusable)}`
          : query.isError
            ? errorText(query.error)
            : query.data === undefined
              ? 'Counting...'
              : query.data.listings > 0 &&
                `${formatCount(query.data.changes + query.data.recommended)} of ${formatCount(query.data.listings)} prices would change.`}
      </p>
      {haveTimes(template.lines) && (
        <div className="min-h-[2lh] text-sm">
          <TimeZoneNote />
        </div>
      )}
      <Button
        look="outline"
        className="mt-auto self-start"
        aria-label={`Use ${name}`}
        disabled={unusable !== null}
        onClick={onUse}
      >
        Use template
      </Button>
    </li>
  );
}

function changesText(aDay: number): string {
  const count = aDay < 0.1 ? 'Under 0.1 changes' : `About ${aDay.toFixed(1)} changes`;
  return `${count} a day per listing in simulated markets.`;
}

function applyTemplate(form: UseFormReturn<RuleDraft>, template: RuleTemplate): void {
  const before = form.getValues();
  const after = withTemplate(before, template);
  const changed = (Object.keys(after) as (keyof RuleDraft)[]).filter((name) => after[name] !== before[name]);
  for (const name of changed) form.setValue(name, after[name], { shouldDirty: true });
  form.clearErrors();
  form.setFocus('name');
}
