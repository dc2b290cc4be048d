import type { Offer } from '#domain/competition/offer.ts';
import { evaluate } from '#domain/decision/decide.ts';
import type { Decision } from '#domain/decision/decision.ts';
import { explain } from '#domain/decision/explain.ts';
import type { Situation } from '#domain/lines/line.ts';
import { WHOLE } from '#domain/units.ts';
import { type PeerListing, type PeerOffer, peerListing } from './comparable.ts';
import type { DecideCase } from './decide-cases.ts';

/** One offer as plain data, with the share of its landed price that the lines ask for. */
interface PeerLineOffer extends PeerOffer {
  /** In basis points. */
  readonly factor: number;
}

/**
 * What a general rules engine is given for the lines of Win and hold. The situation and the price for the target margin come
 * ready worked out, like floor and ceiling: the peers are spared them.
 */
export interface PeerLineListing extends PeerListing {
  readonly situation: Situation;
  readonly targetPrice: number;
  readonly ownPrice: number;
  /** -1 while it is not known. */
  readonly boxShare: number;
  readonly offers: readonly PeerLineOffer[];
}

/** A question that all engines can answer, in both of its forms. */
export interface ComparableLines {
  readonly question: DecideCase;
  readonly listing: PeerLineListing;
}

/** The lines that are compared, by the name of their template. */
export const COMPARED = 'Win and hold';

/**
 * The cases that the lines, floor, step and ceiling alone decide. Excluded are those where something else had a say: fee bands
 * with a gap or an edge, the daily limit, a hold, a cooldown, a repair, competitors that were not read, offers without a name.
 * @param targetPrices asks for the target margin alone, for each case
 */
export function comparableLines(
  cases: readonly DecideCase[],
  targetPrices: readonly DecideCase[],
): ComparableLines[] {
  return cases.flatMap((question, index) => {
    const { decision, trace } = explain(question.facts, question.choice, question.policy);
    const [floor, ceiling, ...more] = trace.allowed?.ranges ?? [];
    const target = targetPrices[index];
    if (floor === undefined || ceiling === undefined || more.length > 0 || target === undefined) return [];
    const targetPrice = evaluate(target.facts, target.choice, target.policy).strategyPrice?.price ?? null;
    const situation = decision.line?.situation ?? null;
    if (trace.bandEdge !== null || targetPrice === null || situation === null) return [];
    if (!isPlain(question) || !isDecidedByLines(decision)) return [];
    return [{ question, listing: lineListing(question, situation, targetPrice, floor, ceiling) }];
  });
}

function isPlain({ facts }: DecideCase): boolean {
  return facts.fulfillmentType === 'FBM' && facts.offers.every((offer) => offer.seller !== null);
}

function isDecidedByLines({ kind, reason, bindingLimit, line }: Decision): boolean {
  if (bindingLimit === 'daily_limit' || bindingLimit === 'fee_band_gap' || reason === 'repair') return false;
  if (line === null || line.number === 0) return false;
  return kind === 'change' || (kind === 'keep' && (reason === 'already_there' || reason === 'line_hold'));
}

function lineListing(
  question: DecideCase,
  situation: Situation,
  targetPrice: number,
  floor: number,
  ceiling: number,
): PeerLineListing {
  const { facts } = question;
  const { offers, ...rest } = peerListing(question, floor, ceiling);
  return {
    ...rest,
    situation,
    targetPrice,
    ownPrice: facts.anchorPrice ?? 0,
    boxShare: facts.signals?.boxShare ?? -1,
    offers: offers.map((offer, index) => ({ ...offer, factor: factorFor(facts.offers[index]) })),
  };
}

/** 4% under those who ship like us, 12% under the warehouse and the marketplace itself. */
function factorFor(offer: Offer | undefined): number {
  const isFaster = offer?.isMarketplace === true || offer?.fulfillmentType === 'FBA/WFS';
  return WHOLE - (isFaster ? 1_200 : 400);
}
