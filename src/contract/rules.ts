import { z } from 'zod';
import { type Line, MAX_LINES_TEXT, SITUATIONS } from '#domain/lines/line.ts';
import { parseLines } from '#domain/lines/parse-lines.ts';
import { linesProblemMessage } from '#domain/lines/problem-text.ts';
import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import {
  BELOW_FLOOR,
  MAX_PRIORITY,
  NO_COMPETITOR,
  RULE_FULFILLMENTS,
  STRATEGIES,
} from '#domain/rules/rule.ts';
import { TIEBREAK_REASONS } from '#domain/rules/rule-precedence.ts';
import type { Bps } from '#domain/units.ts';
import { Day, Id, Margin, Moment, Money, Percent, percentInput, SignedAmountInput } from './fields.ts';
import { ProfitSums, SoldSoFar } from './profit-sums.ts';
import { RuleSchedule, RuleSegment, ScheduleInput, SegmentInput } from './rule-scope.ts';
import { TracedLine } from './traced-line.ts';

/** 0 to 99.99 %: with 100 % no price could be allowed. */
const MarginInput = percentInput(0, 9_999);
const CountInput = (unit: string) =>
  z
    .number(`Expected a whole number of ${unit}`)
    .refine(
      (count) => Number.isInteger(count) && count >= 0 && count <= 1_000_000,
      `Expected a whole number of ${unit}, from 0`,
    );

/** The lines of a rule as text, separated by line breaks or `;`; null or blank: the strategy decides. */
const LinesInput = z
  .string()
  .max(MAX_LINES_TEXT, `At most ${MAX_LINES_TEXT} characters`)
  .transform((text, context): readonly Line[] | null => {
    if (text.trim() === '') return null;
    const { lines, problem } = parseLines(text);
    if (problem === null) return lines;
    context.addIssue({ code: 'custom', message: linesProblemMessage(problem, text) });
    return z.NEVER;
  });

/** Which offers a rule excludes. Null excludes nothing. */
const RuleFilterInput = z.strictObject({
  minRating: percentInput(0, 10_000).nullable().default(null),
  minRatingCount: CountInput('ratings').nullable().default(null),
  maxHandlingDays: CountInput('days').nullable().default(null),
  ignoreSellers: z
    .array(z.string().trim().min(1, 'Enter a seller').max(200, 'At most 200 characters'))
    .max(200, 'At most 200 sellers')
    .default([]),
  fulfillmentType: z.enum(FULFILLMENT_TYPES).nullable().default(null),
});

const PRIORITY_HINT = `Enter a whole number from 1 to ${MAX_PRIORITY}`;

/** The fields of a rule that a user sets. Omitted fields get the defaults of a new rule. */
export const RuleFields = z.strictObject({
  name: z.string().trim().min(1, 'Give the rule a name').max(200, 'At most 200 characters'),
  /** Null: those of the segment, which are all where it names none. */
  marketplace: z.enum(MARKETPLACES).nullable().default(null),
  fulfillmentType: z.enum(RULE_FULFILLMENTS),
  strategy: z.enum(STRATEGIES),
  minimumMargin: MarginInput,
  /** Minimum margins that differ on single marketplaces. */
  marketplaceMargins: z.partialRecord(z.enum(MARKETPLACES), MarginInput).default({}),
  competitorOffset: SignedAmountInput.nullable().default(null),
  isActive: z.boolean().default(true),
  requiresReview: z.boolean().default(false),
  noCompetitor: z.enum(NO_COMPETITOR).default('keep'),
  belowFloor: z.enum(BELOW_FLOOR).default('floor'),
  otherChannels: z.boolean().default(false),
  /**
   * A price that would make the SKU more expensive on Walmart or Amazon than on another channel is only
   * recommended.
   */
  refuseCrossChannel: z.boolean().default(false),
  filter: RuleFilterInput.prefault({}),
  lines: LinesInput.nullable().default(null),
  /** The margin that `target margin` asks for. */
  targetMargin: MarginInput.nullable().default(null),
  /** Target margins that differ on single marketplaces. */
  marketplaceTargets: z.partialRecord(z.enum(MARKETPLACES), MarginInput).default({}),
  /** From which share of the buy box on a listing is winning. */
  winShare: percentInput(0, 10_000).default(5_000 as Bps),
  /** FBA/WFS listings are compared with offers of the same shipping alone; omitted: unless the rule has lines. */
  onlySameShipping: z.boolean().optional(),
  /** Offers further than this below the lowest allowed price do not count. */
  ignoreUnderFloor: percentInput(0, 10_000).nullable().default(null),
  segment: SegmentInput.prefault({}),
  /** The smaller first; null comes after all numbers. */
  priority: z
    .int(PRIORITY_HINT)
    .min(1, PRIORITY_HINT)
    .max(MAX_PRIORITY, PRIORITY_HINT)
    .nullable()
    .default(null),
  /** When it applies; null: always. */
  schedule: ScheduleInput.nullable().default(null),
});
export type RuleFields = z.output<typeof RuleFields>;
export type RuleForm = z.input<typeof RuleFields>;

/** The token of the preview that the user saw; 409 when the rule would do something else now. */
const previewToken = z.string().max(100).optional();

/** POST /api/rules. */
export const CreateRule = RuleFields.extend({ previewToken });
export type CreateRule = z.output<typeof CreateRule>;

/** PUT /api/rules/:id. `version` is the one the user saw: 409 when another user saved after that. */
export const EditRule = CreateRule.extend({ version: z.int() });
export type EditRule = z.output<typeof EditRule>;

/** PUT /api/rules/:id/active. */
export const SetRuleActive = z.strictObject({ isActive: z.boolean() });

const RuleIds = z.array(Id).min(1, 'Choose a rule').max(500, 'At most 500 rules');
/** POST /api/rules/active. */
export const SetRulesActive = z.strictObject({ ids: RuleIds, isActive: z.boolean() });
/** POST /api/rules/delete, /undelete and /impact. */
export const OnRules = z.strictObject({ ids: RuleIds });

export const Rule = z.object({
  id: Id,
  name: z.string(),
  marketplace: z.enum(MARKETPLACES).nullable(),
  fulfillmentType: z.enum(RULE_FULFILLMENTS),
  strategy: z.enum(STRATEGIES),
  minimumMargin: Percent,
  marketplaceMargins: z.partialRecord(z.enum(MARKETPLACES), Percent),
  competitorOffset: Money.nullable(),
  isActive: z.boolean(),
  requiresReview: z.boolean(),
  noCompetitor: z.enum(NO_COMPETITOR),
  belowFloor: z.enum(BELOW_FLOOR),
  otherChannels: z.boolean(),
  refuseCrossChannel: z.boolean(),
  filter: z.object({
    minRating: Percent.nullable(),
    minRatingCount: z.int().nullable(),
    maxHandlingDays: z.int().nullable(),
    ignoreSellers: z.array(z.string()),
    fulfillmentType: z.enum(FULFILLMENT_TYPES).nullable(),
  }),
  /** One line each; null: the strategy decides. */
  lines: z.string().nullable(),
  targetMargin: Percent.nullable(),
  marketplaceTargets: z.partialRecord(z.enum(MARKETPLACES), Percent),
  winShare: Percent,
  onlySameShipping: z.boolean(),
  ignoreUnderFloor: Percent.nullable(),
  segment: RuleSegment,
  priority: z.int().nullable(),
  schedule: RuleSchedule.nullable(),
  version: z.int(),
  createdAt: Moment,
  updatedAt: Moment,
});
export type Rule = z.output<typeof Rule>;

/** A line of a rule, from 1, with the listings for which it decides, and of them those whose price it keeps. */
const DecidingLine = z.object({ line: z.int(), listings: z.int(), held: z.int() });

/** What decides the listings of a rule now: each one is counted once. */
const DecidedBy = z.object({
  /** Every line of the rule; none where its strategy decides. */
  lines: z.array(DecidingLine),
  /** No line applies. */
  noLine: z.int(),
  /** Their price stays because their competitors are not read. */
  notRead: z.int(),
  blocked: z.int(),
  /** Not repriced since the lines were saved, or priced by another listing's rule because they share its price. */
  unknown: z.int(),
});

/** GET /api/rules: the oldest first, as the oldest wins a tie. */
export const RuleList = z.object({
  rules: z.array(
    Rule.extend({
      /** Listings that the rule applies to now. */
      appliedTo: z.int(),
      decidedBy: DecidedBy,
      /** Of them, those whose price is their margin floor, and those whose margin floor is known. */
      atMarginFloor: z.int(),
      knownFloors: z.int(),
      /** Price changes by it, and its recommendations that users applied, in the last 24 hours. */
      changesInDay: z.int(),
      /** What sold at its prices so far; omitted when nothing did. */
      sold: SoldSoFar.optional(),
      /** Listings with this assigned rule; no other rule applies to them. */
      ownListings: z.int(),
    }),
  ),
  /** Where the store is, for hours, days and dates of rules; null while it is not set: they count in UTC then. */
  timeZone: z.string().nullable(),
});
export type RuleList = z.output<typeof RuleList>;
export type ListedRule = RuleList['rules'][number];

const NamedRule = z.object({ id: Id, name: z.string() });

/** How many listings a rule or a set of rules loses, and which rules apply instead. */
export const RuleImpact = z.object({
  /** Listings these rules apply to now. */
  listings: z.int(),
  /** Of them, those with one of the rules assigned: no other rule applies, their price stays. */
  own: z.int(),
  /** The rules that then apply to the others; a null rule: none matches, their price stays. */
  newRules: z.array(z.object({ rule: NamedRule.nullable(), listings: z.int() })),
});
export type RuleImpact = z.output<typeof RuleImpact>;

/** The result of enabling, disabling, deleting or restoring. */
export const RulesChanged = z.object({
  /** The changed rules; those that needed no change are omitted. */
  ids: z.array(Id),
});
export type RulesChanged = z.output<typeof RulesChanged>;

/** DELETE /api/rules/:id and POST /api/rules/delete. */
export const RulesDeleted = RulesChanged.extend({ impact: RuleImpact });
export type RulesDeleted = z.output<typeof RulesDeleted>;

/** POST /api/rules/preview: the draft in place of rule `id`, or added when `id` is null. Nothing changes. */
export const PreviewRule = z.strictObject({ id: Id.nullable(), rule: RuleFields });
export type PreviewRule = z.output<typeof PreviewRule>;

const PreviewedListing = z.object({
  listingId: Id,
  marketplace: z.enum(MARKETPLACES),
  sku: z.string(),
  title: z.string(),
  outcome: z.enum(['change', 'keep', 'recommend', 'blocked']),
  oldPrice: Money,
  /** Null when blocked. */
  newPrice: Money.nullable(),
  marginBefore: Margin.nullable(),
  marginAfter: Margin.nullable(),
  /** The line that decided, from 1; null without one. */
  line: z.int().nullable(),
  /** Why, and for a blocked one what to do. */
  sentence: z.string(),
});
export type PreviewedListing = z.output<typeof PreviewedListing>;

/** Groups of moves by their size, the largest falls first. */
export const MOVE_SIZES = [
  'fall10',
  'fall5',
  'fall2',
  'fall',
  'stay',
  'rise',
  'rise2',
  'rise5',
  'rise10',
] as const;
export type MoveSize = (typeof MOVE_SIZES)[number];

/** What a rule would do in the next run if its marketplaces were live. */
export const RulePreview = z.object({
  /** Identifies this exact preview: a save with it is refused when the rule would do something else by then. */
  token: z.string(),
  /** The same for two previews in which every listing gets the same outcome and price, whatever the reasons. */
  outcomes: z.string(),
  /** Listings the draft applies to. */
  listings: z.int(),
  /** Of them, those with this assigned rule. */
  own: z.int(),
  /** Of them, those to which another rule, or none, applies today. */
  takenFrom: z.array(z.object({ rule: NamedRule.nullable(), listings: z.int() })),
  /** Listings to which the stored rule applies today and the draft does not. */
  givenUp: z.int(),
  changes: z.int(),
  raised: z.int(),
  lowered: z.int(),
  kept: z.int(),
  recommended: z.int(),
  blocked: z.int(),
  /** Listings that would be at their margin floor. */
  atMarginFloor: z.int(),
  /** Listings that keep their price because their competitors are not read. */
  notRead: z.int(),
  /** Listings for which no line decides. */
  noLine: z.int(),
  /** Prices that rise or fall by 10% or more. */
  bigRises: z.int(),
  bigDrops: z.int(),
  /**
   * Prices by the size of their move in percent of the old price: `fall2` are falls from 2% to below 5%, `fall` smaller ones.
   * Blocked listings are not in it.
   */
  moveSizes: z.record(z.enum(MOVE_SIZES), z.int()),
  /**
   * Averages if each listing sold once, over those whose profit is known at both prices; null without any. The margins are
   * the profit of all these sales over their revenue, rounded down.
   */
  averages: z
    .object({
      listings: z.int(),
      oldPrice: Money,
      newPrice: Money,
      marginBefore: Margin,
      marginAfter: Margin,
    })
    .nullable(),
  /** Every line of the rule. */
  lines: z.array(DecidingLine),
  /** Of how many listings the figures are known that conditions ask about. */
  known: z.object({ stock: z.int(), supply: z.int(), stockAge: z.int(), sales: z.int() }),
  /** The ten largest drops and the ten largest rises, the largest in dollars first. */
  moves: z.array(PreviewedListing),
  /** At most five, one of each outcome first. */
  samples: z.array(PreviewedListing),
  /** The first ten of those at their margin floor, and of the blocked ones. */
  floorListings: z.array(PreviewedListing),
  blockedListings: z.array(PreviewedListing),
});
export type RulePreview = z.output<typeof RulePreview>;

/**
 * POST /api/rules/scope: the scope of a draft in place of rule `id`, or of a new rule when `id` is null. Nothing changes.
 */
export const CountRuleScope = z.strictObject({
  id: Id.nullable(),
  rule: RuleFields.pick({
    marketplace: true,
    fulfillmentType: true,
    segment: true,
    priority: true,
    schedule: true,
  }),
});
export type CountRuleScope = z.output<typeof CountRuleScope>;

/** What a scope would mean for the listings, as if the rule were active and its schedule applied. */
export const RuleScopeCounts = z.object({
  /** Listings that match. */
  matching: z.int(),
  /** Of them, those whose price the rule would decide. */
  deciding: z.int(),
  /** Of these, those with this assigned rule. */
  own: z.int(),
  /**
   * The rules that decide the others, and what sets them apart: `assigned`, or in which comparison the other rule is
   * first. A null rule: the assigned rule was deleted. The most listings first.
   */
  others: z.array(
    z.object({
      rule: NamedRule.nullable(),
      listings: z.int(),
      because: z.enum(['assigned', ...TIEBREAK_REASONS]),
    }),
  ),
  /** Whether the schedule applies now. */
  appliesNow: z.boolean(),
});
export type RuleScopeCounts = z.output<typeof RuleScopeCounts>;

/** POST /api/rules/explain: what the draft would do with one listing. Nothing changes. */
export const ExplainRule = PreviewRule.extend({ listingId: Id });
export type ExplainRule = z.output<typeof ExplainRule>;

/** One listing under a draft, line by line. */
export const DraftExplanation = z.object({
  listing: PreviewedListing,
  /** Whether the draft would price it. */
  isPriced: z.boolean(),
  /** The rule that prices it otherwise; null for none. */
  otherRule: NamedRule.nullable(),
  /** What the rule sees of the competition; null where no line looks at it. */
  situation: z.enum(SITUATIONS).nullable(),
  /** Empty where the strategy decides. */
  lines: z.array(TracedLine),
});
export type DraftExplanation = z.output<typeof DraftExplanation>;

const SoldInDays = ProfitSums.extend({ from: Day, to: Day });

/**
 * GET /api/rules/:id/earnings: what the listings of a rule, those whose price it has set, sold since, against as many days
 * before its first price. Whole days of the shop, at most 90, whatever set the price on them. Seasons and other changes are in it
 * too.
 */
export const RuleEarnings = z.object({
  /** The day of its first price, which belongs to neither side; null before it. */
  firstDay: Day.nullable(),
  listings: z.int(),
  /** Null while no day is whole on both sides: the rule is too new, or no sales from before are on record. */
  compared: z.object({ days: z.int(), since: SoldInDays, before: SoldInDays }).nullable(),
});
export type RuleEarnings = z.output<typeof RuleEarnings>;
