import { Eye, Lightbulb, type LucideIcon, Pause, Zap } from 'lucide-react';
import type { EngineStatus } from '#contract/engine.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { Badge } from '#web/ui/badge.tsx';

type State = EngineStatus['marketplaces'][number];

/**
 * The mode of a marketplace. `paused`: switched off in the settings, or without credentials;
 * `read_only`: connected, but sending prices is turned off.
 */
export type ModeStatus = State['mode'] | 'paused' | 'read_only';

export const MODE_LABELS = {
  live: 'Live',
  recommend_only: 'Recommend only',
  read_only: 'Read-only',
  paused: 'Paused',
} as const satisfies Record<ModeStatus, string>;

export const MODE_ICONS: Readonly<Record<ModeStatus, LucideIcon>> = {
  live: Zap,
  recommend_only: Eye,
  read_only: Lightbulb,
  paused: Pause,
};

const TONES = {
  live: 'success',
  recommend_only: 'neutral',
  read_only: 'neutral',
  paused: 'warning',
} as const;

export function modeStatusOf({ priceChannel, mode }: Pick<State, 'priceChannel' | 'mode'>): ModeStatus {
  return priceChannel === 'paused' || priceChannel === 'read_only' ? priceChannel : mode;
}

/** Whether prices are applied once repricing is resumed. */
export function liveMarketplaces({ marketplaces }: EngineStatus): Marketplace[] {
  return marketplaces.filter(({ mode }) => mode === 'live').map(({ marketplace }) => marketplace);
}

export function ModeBadge({ modeStatus }: { modeStatus: ModeStatus }): React.JSX.Element {
  return (
    <Badge tone={TONES[modeStatus]} icon={MODE_ICONS[modeStatus]}>
      {MODE_LABELS[modeStatus]}
    </Badge>
  );
}
