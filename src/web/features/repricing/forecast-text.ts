import type { EngineStatus } from '#contract/engine.ts';
import type { MarketplaceForecast, RunPreview } from '#contract/run-preview.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { countOf, formatCount, formatMoney } from '#web/lib/format.ts';

/** "37 prices would change: 12 up, 25 down." */
export function movesText({ raised, lowered }: MarketplaceForecast): string {
  const ways = [raised > 0 && `${formatCount(raised)} up`, lowered > 0 && `${formatCount(lowered)} down`];
  const changes = raised + lowered;
  if (changes === 0) return 'No price would change now.';
  return `${countOf(changes, 'price', 'prices')} would change: ${ways.filter(Boolean).join(', ')}.`;
}

/**
 * "sold once each, the new prices bring $41.20 less and leave $30.10 less profit."
 * @returns null where nothing changes, or nobody can say
 */
export function moneyText(forecast: MarketplaceForecast): string | null {
  const { raised, lowered, priceChange, profitChange } = forecast;
  const changes = raised + lowered;
  if (changes === 0 || priceChange === null || profitChange === null) return null;
  const [sold, bring, leave] =
    changes === 1
      ? ['sold once, the new price', 'brings', 'leaves']
      : ['sold once each, the new prices', 'bring', 'leave'];
  return `${sold} ${bring} ${moreOrLess(priceChange)} and ${leave} ${moreOrLess(profitChange)} profit.`;
}

/** "$41.20 less", "$3.00 more", "the same" */
function moreOrLess(amount: string): string {
  if (/^-?0+\.00$/.test(amount)) return 'the same';
  return amount.startsWith('-') ? `${formatMoney(amount.slice(1))} less` : `${formatMoney(amount)} more`;
}

/** How prices leave, where the engine may take them. */
export function leavesText(delivery: EngineStatus['marketplaces'][number]['delivery']): string {
  return delivery === 'connected'
    ? 'New prices are sent by themselves.'
    : 'New prices wait in a file for you to upload.';
}

/** How many prices a plan changes on these marketplaces. */
export function changesOn(marketplaces: readonly Marketplace[], { forecasts }: RunPreview): number {
  return forecasts
    .filter(({ marketplace }) => marketplaces.includes(marketplace))
    .reduce((sum, { raised, lowered }) => sum + raised + lowered, 0);
}
