import type { ListingFacts } from '#domain/decision/facts.ts';
import type { Policy } from '#domain/limits/policy.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { ageText } from '#domain/text.ts';
import type { Millis } from '#domain/units.ts';
import type { Competition, NotReadReason } from './competition.ts';

export interface CompetitionTextFields {
  readonly competition: Competition;
  readonly facts: Pick<ListingFacts, 'marketplace'>;
  readonly policy: Pick<Policy, 'now' | 'maxOfferAge'>;
}

/** What is known about the competitors of a listing, and since when, as a sentence. */
export function competitionText(question: CompetitionTextFields): string {
  const { competition, facts } = question;
  const { status, readAt, because, isOnlyOurs } = competition;
  if (because !== null) return `${notReadText(question)}.`;
  const read = readAt === null ? '' : ` Checked ${ageOf(question)} ago.`;
  if (status === 'competitors') {
    return isOnlyOurs
      ? `Only your own offer is visible, so other sellers are unknown.${read}`
      : `Other sellers offer this.${read}`;
  }
  if (readAt !== null) return `No other seller offers this.${read}`;
  return `${MARKETPLACE_NAMES[facts.marketplace]} shows no offers of other sellers, and none is imported.`;
}

/** Why the competitors are not known, without a full stop. */
export function notReadText(question: CompetitionTextFields): string {
  return UNREAD_TEXTS[question.competition.because ?? 'never'](question);
}

const UNREAD_TEXTS = {
  never: ({ facts }) =>
    `Competitors on ${MARKETPLACE_NAMES[facts.marketplace]} have never been synced or imported`,
  from_future: () => 'Competitors were last read at a time in the future',
  too_old: (question) =>
    `Competitor data is from ${ageOf(question)} ago; data older than ${ageText(question.policy.maxOfferAge)} is not used`,
  offers_too_old: ({ policy }) =>
    `The only offers of competitors are older than ${ageText(policy.maxOfferAge)}`,
  offer_unreadable: () => "The price of a competitor's offer cannot be read, and no other offer counts",
  former_price: () =>
    'The only offer has no seller name and is at one of your prices of the last 24 hours, so it may be your own',
  box_only: ({ facts }) =>
    `${MARKETPLACE_NAMES[facts.marketplace]} shows only the buy box, and no offer of another seller counts`,
} as const satisfies Record<NotReadReason, (question: CompetitionTextFields) => string>;

function ageOf({ competition: { readAt }, policy: { now } }: CompetitionTextFields): string {
  return ageText((now - (readAt ?? now)) as Millis);
}
