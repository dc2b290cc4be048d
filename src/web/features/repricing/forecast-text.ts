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
 * "If each sells once, revenue is $41.20 lower and profit is $30.10 lower."
 * @returns null where nothing changes, or where the effect is unknown
 */
export function moneyText(forecast: MarketplaceForecast): string | null {
  const { raised, lowered, priceChange, profitChange } = forecast;
  const changes = raised + lowered;
  if (changes === 0 || priceChange === null || profitChange === null) return null;
  const sold = changes === 1 ? 'If it sells once' : 'If each sells once';
  return `${sold}, revenue is ${higherOrLower(priceChange)} and profit is ${higherOrLower(profitChange)}.`;
}

/** "$41.20 lower", "$3.00 higher", "unchanged" */
function higherOrLower(amount: string): string {
  if (/^-?0+\.00$/.test(amount)) return 'unchanged';
  return amount.startsWith('-') ? `${formatMoney(amount.slice(1))} lower` : `${formatMoney(amount)} higher`;
}

/** How prices are delivered on a live marketplace. */
export function leavesText(priceChannel: EngineStatus['marketplaces'][number]['priceChannel']): string {
  return priceChannel === 'connected'
    ? 'New prices are sent automatically.'
    : 'You upload new prices in a file.';
}

/** The number of prices that a preview changes on these marketplaces. */
export function changesOn(marketplaces: readonly Marketplace[], { forecasts }: RunPreview): number {
  return forecasts
    .filter(({ marketplace }) => marketplaces.includes(marketplace))
    .reduce((sum, { raised, lowered }) => sum + raised + lowered, 0);
}
