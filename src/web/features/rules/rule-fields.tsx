import { Info } from 'lucide-react';
import type { UseFormReturn } from 'react-hook-form';
import { STRATEGIES } from '#domain/rules/rule.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { RadioGroupField } from '#web/ui/radio-group-field.tsx';
import { Tab, TabBar, TabGroup, TabPanel } from '#web/ui/tabs.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { LinesFields } from './lines-fields.tsx';
import { MoreOptions } from './more-options.tsx';
import { PreviewLine } from './preview-line.tsx';
import type { RuleDraft } from './rule-draft.ts';
import { missingCompetitorsText, uncertainCompetitorsText } from './rule-text.ts';
import { ScopeFields } from './scope-fields.tsx';
import { strategyExample, strategySummary, strategyText } from './strategy-text.ts';
import { TemplateGallery } from './template-gallery.tsx';
import type { DraftPreview } from './use-draft-preview.ts';
import type { ScopeCounts } from './use-scope-counts.ts';

export type RuleFormState = UseFormReturn<RuleDraft>;

type RuleFieldsProps = {
  form: RuleFormState;
  id: string | null;
  preview: DraftPreview;
  scope: ScopeCounts;
};

/** The fields of a rule; rare ones are folded. */
export function RuleFields({ form, id, preview, scope }: RuleFieldsProps): React.JSX.Element {
  const draft = form.watch();
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <HowPricesAreSet form={form} draft={draft} preview={preview} />
      {id === null && <TemplateGallery form={form} draft={draft} scope={scope} />}
      <ScopeFields form={form} draft={draft} scope={scope} />
      <Card className="p-0">
        <MoreOptions form={form} draft={draft} />
      </Card>
      <Card className="flex flex-col gap-1">
        <Checkbox
          label="Require review"
          hint="Prices from this rule are recommended only. You apply them."
          checked={draft.requiresReview}
          onChange={(requiresReview) =>
            form.setValue('requiresReview', requiresReview, { shouldDirty: true })
          }
        />
        <Checkbox
          label="Active"
          hint="Reprices its listings as soon as it is saved."
          checked={draft.isActive}
          onChange={(isActive) => form.setValue('isActive', isActive, { shouldDirty: true })}
        />
      </Card>
    </div>
  );
}

/** Its name, a strategy or lines of one's own, and the two numbers that decide most: all in the first screen. */
function HowPricesAreSet({ form, draft, preview }: PartProps & { preview: DraftPreview }): React.JSX.Element {
  const choose = (way: string): void => {
    if (way !== 'strategy' && way !== 'lines') return;
    form.setValue('way', way, { shouldDirty: true });
    form.clearErrors('lines');
  };
  return (
    <Card className="flex flex-col gap-1.5 px-0">
      <h2 className="sr-only">How prices are set</h2>
      <TextField
        label="Name"
        required
        maxLength={200}
        autoComplete="off"
        fieldClassName="px-4"
        error={form.formState.errors.name?.message}
        {...form.register('name')}
      />
      <TabGroup value={draft.way} onValueChange={choose} className="flex flex-col gap-3">
        <TabBar aria-label="How prices are set" className="px-4">
          <Tab value="strategy">Strategy</Tab>
          <Tab value="lines">Lines</Tab>
        </TabBar>
        <TabPanel value="strategy" className="flex flex-col gap-3 px-4">
          <RadioGroupField
            label="Strategy"
            // The tab above says it.
            hideLabel
            options={STRATEGIES.map((strategy) => ({
              value: strategy,
              label: strategy,
              hint: strategySummary(strategy),
            }))}
            value={draft.strategy}
            onChange={(strategy) => form.setValue('strategy', strategy, { shouldDirty: true })}
            className="sm:grid sm:grid-cols-2"
          />
          <Amounts form={form} draft={draft} />
          <p className="text-sm text-fg-muted">
            {strategyText(draft.strategy)}
            {draft.strategy === 'Fixed Margin' && ` ${strategyExample(draft, draft.strategy)}`}
          </p>
          <CompetitorNotes form={form} draft={draft} />
        </TabPanel>
        <TabPanel value="lines" className="flex flex-col gap-4 px-4">
          <Amounts form={form} draft={draft} />
          <LinesFields form={form} draft={draft} preview={preview} />
        </TabPanel>
      </TabGroup>
      <PreviewLine preview={preview} />
    </Card>
  );
}

type PartProps = { form: RuleFormState; draft: RuleDraft };

/** Data the strategy lacks on the rule's marketplaces, and alternatives. */
function CompetitorNotes({ form, draft }: PartProps): React.JSX.Element {
  const marketplace = draft.marketplace || null;
  const missing = missingCompetitorsText(marketplace, draft.strategy);
  const unsure = uncertainCompetitorsText(marketplace, draft.strategy);
  return (
    <>
      {missing !== null && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Note text={missing} />
          {marketplace !== null && (
            <Button
              look="outline"
              size="small"
              onClick={() => form.setValue('strategy', 'Fixed Margin', { shouldDirty: true })}
            >
              Use Fixed Margin
            </Button>
          )}
          {draft.otherChannels ? (
            <p className="text-sm">Other channels are included.</p>
          ) : (
            <Button
              look="outline"
              size="small"
              onClick={() => form.setValue('otherChannels', true, { shouldDirty: true })}
            >
              Include other channels
            </Button>
          )}
        </div>
      )}
      {unsure !== null && <Note text={unsure} />}
    </>
  );
}

function Note({ text }: { text: string }): React.JSX.Element {
  return (
    <div className="flex basis-full gap-1.5 text-sm text-info-text">
      <Info aria-hidden className="mt-px size-3.5 shrink-0" />
      <p>{text}</p>
    </div>
  );
}

/** What else the offset may be; the example says the rest. */
const OFFSET_HINTS = {
  'Match Competitor': ' Type -0.05 for 5 cents below.',
  'Beat Competitor': '',
  'Dynamic Pricing': 'Type -0.05 for 5 cents below.',
} as const;

/** The two numbers that decide most. */
const KEY_NUMBER = 'text-xl font-semibold md:text-xl dense:h-11';

function Amounts({ form, draft }: PartProps): React.JSX.Element {
  const { errors } = form.formState;
  return (
    <div className="grid grid-cols-2 gap-x-4 gap-y-3 max-[360px]:grid-cols-1">
      <NumberField
        label="Min. Margin %"
        unit="%"
        className={KEY_NUMBER}
        hint="After fees and costs, of what the buyer pays. Blank means 0%."
        error={errors.minimumMargin?.message}
        {...form.register('minimumMargin')}
      />
      {draft.way === 'strategy' && draft.strategy !== 'Fixed Margin' && (
        <NumberField
          label="Competitor Offset"
          unit="$"
          className={KEY_NUMBER}
          inputMode="text"
          hint={`${exampleOf(draft)}${OFFSET_HINTS[draft.strategy]}`}
          error={errors.competitorOffset?.message}
          {...form.register('competitorOffset')}
        />
      )}
      {draft.way === 'lines' && (
        <NumberField
          label="Target margin"
          unit="%"
          className={KEY_NUMBER}
          hint="The margin that lines with “target margin” aim for."
          error={errors.targetMargin?.message}
          {...form.register('targetMargin')}
        />
      )}
    </div>
  );
}

/** Dynamic Pricing will price by learned data, so a round-number example would mislead. */
function exampleOf(draft: RuleDraft): string {
  return draft.strategy === 'Dynamic Pricing' ? '' : strategyExample(draft, draft.strategy);
}
