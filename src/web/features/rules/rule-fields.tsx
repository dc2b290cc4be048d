import type { UseFormReturn } from 'react-hook-form';
import { STRATEGIES } from '#domain/rules/rule.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Card } from '#web/ui/card.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { RadioGroupField } from '#web/ui/radio-group-field.tsx';
import { Tab, TabBar, TabGroup, TabPanel } from '#web/ui/tabs.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { LinesFields } from './lines-fields.tsx';
import { MoreOptions } from './more-options.tsx';
import type { RuleDraft } from './rule-draft.ts';
import { missingCompetitorsText, uncertainCompetitorsText } from './rule-text.ts';
import { ScopeFields } from './scope-fields.tsx';
import { strategyExample, strategyText } from './strategy-text.ts';
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
    <div className="flex min-w-0 flex-col gap-4">
      {id === null && <TemplateGallery form={form} draft={draft} scope={scope} />}
      <Card className="flex flex-col gap-4">
        <TextField
          label="Name"
          required
          maxLength={200}
          autoComplete="off"
          error={form.formState.errors.name?.message}
          {...form.register('name')}
        />
      </Card>
      <HowPricesAreSet form={form} draft={draft} preview={preview} />
      <ScopeFields form={form} draft={draft} scope={scope} />
      <Card className="flex flex-col gap-4 p-0 *:border-0">
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

/** A strategy or lines of one's own, and the margin that both keep. */
function HowPricesAreSet({ form, draft, preview }: PartProps & { preview: DraftPreview }): React.JSX.Element {
  const choose = (way: string): void => {
    if (way !== 'strategy' && way !== 'lines') return;
    form.setValue('way', way, { shouldDirty: true });
    form.clearErrors('lines');
  };
  return (
    <Card className="flex flex-col gap-3 p-0 pb-4">
      <h2 className="sr-only">How prices are set</h2>
      <TabGroup value={draft.way} onValueChange={choose} className="flex flex-col gap-3">
        <TabBar aria-label="How prices are set" className="px-4">
          <Tab value="strategy">Strategy</Tab>
          <Tab value="lines">Lines</Tab>
        </TabBar>
        <TabPanel value="strategy" className="flex flex-col gap-4 px-4">
          <RadioGroupField
            label="Strategy"
            options={STRATEGIES.map((strategy) => ({
              value: strategy,
              label: strategy,
              hint: `${strategyText(strategy)} ${exampleOf(draft, strategy)}`.trim(),
            }))}
            value={draft.strategy}
            onChange={(strategy) => form.setValue('strategy', strategy, { shouldDirty: true })}
            className="sm:grid sm:grid-cols-2"
          />
          <CompetitorNotes form={form} draft={draft} />
        </TabPanel>
        <TabPanel value="lines" className="flex flex-col gap-4 px-4">
          <LinesFields form={form} draft={draft} preview={preview} />
        </TabPanel>
      </TabGroup>
      <Amounts form={form} draft={draft} />
    </Card>
  );
}

/** Dynamic Pricing will price by learned data, so a round-number example would mislead. */
function exampleOf(draft: RuleDraft, strategy: RuleDraft['strategy']): string {
  return strategy === 'Dynamic Pricing' ? '' : strategyExample(draft, strategy);
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
        <Callout tone="info" title="Some marketplaces do not share competitor offers">
          <p className="text-fg-muted">{missing}</p>
          <div className="mt-3 flex flex-wrap gap-2">
            {marketplace !== null && (
              <Button
                look="outline"
                onClick={() => form.setValue('strategy', 'Fixed Margin', { shouldDirty: true })}
              >
                Use Fixed Margin
              </Button>
            )}
            {draft.otherChannels ? (
              <p className="self-center">Other channels are included.</p>
            ) : (
              <Button
                look="outline"
                onClick={() => form.setValue('otherChannels', true, { shouldDirty: true })}
              >
                Include other channels
              </Button>
            )}
          </div>
        </Callout>
      )}
      {unsure !== null && (
        <Callout tone="info" title="Competitors may be mismatched">
          <p className="text-fg-muted">{unsure}</p>
        </Callout>
      )}
    </>
  );
}

const OFFSET_HINTS = {
  'Match Competitor': "Added to the competitor's price. Use -0.05 to go 5 cents below. Blank means 0.",
  'Beat Competitor': "Amount below the competitor's price. Blank means $0.01.",
  'Dynamic Pricing': "Added to the competitor's price. Use -0.05 to go 5 cents below. Blank means 0.",
} as const;

/** The two numbers that decide most. */
const KEY_NUMBER = 'text-xl font-semibold dense:h-11';

function Amounts({ form, draft }: PartProps): React.JSX.Element {
  const { errors } = form.formState;
  return (
    <div className="grid gap-4 px-4 sm:grid-cols-2">
      <NumberField
        label="Min. Margin %"
        unit="%"
        className={KEY_NUMBER}
        hint="Profit as a percentage of what the buyer pays, after fees and costs. Blank means 0%."
        error={errors.minimumMargin?.message}
        {...form.register('minimumMargin')}
      />
      {draft.way === 'strategy' && draft.strategy !== 'Fixed Margin' && (
        <NumberField
          label="Competitor Offset"
          unit="$"
          className={KEY_NUMBER}
          inputMode="text"
          hint={OFFSET_HINTS[draft.strategy]}
          error={errors.competitorOffset?.message}
          {...form.register('competitorOffset')}
        />
      )}
    </div>
  );
}
