import { useCallback, useMemo, useState } from 'react';
import { ANALYTICS_RANGE, ANALYTICS_RANGES, type AnalyticsRange } from '#contract/listing-analytics.ts';
import { oneOf, useUrlParams } from '#web/lib/url-params.ts';

export const PANEL_TABS = ['sales', 'analytics', 'competitors'] as const;
export type PanelTab = (typeof PANEL_TABS)[number];

/** The analytics panel in the address: listing, tab and range. */
export interface ListingPanelState {
  /** Null while it is closed. */
  readonly id: string | null;
  readonly tab: PanelTab;
  readonly range: AnalyticsRange;
  /** Increases each time the user opens it: the panel then takes the focus. */
  readonly focusRequest: number;
  readonly open: (id: string) => void;
  /** Shows another listing in the open panel; tab and range stay. */
  readonly show: (id: string) => void;
  readonly close: () => void;
  readonly setTab: (tab: PanelTab) => void;
  readonly setRange: (range: AnalyticsRange) => void;
}

/** Reads and writes the panel's parameters; defaults are omitted. */
export function useListingPanel(): ListingPanelState {
  const { params, set } = useUrlParams();
  const [focusRequest, setFocusRequest] = useState(0);
  const open = useCallback(
    (id: string) => {
      setFocusRequest((count) => count + 1);
      set({ panel: id, sale: undefined });
    },
    [set],
  );
  const acts = useMemo(
    () => ({
      show: (id: string) => set({ panel: id, sale: undefined }, true),
      close: () => set({ panel: undefined, tab: undefined, range: undefined, sale: undefined }),
      setTab: (tab: PanelTab) => set({ tab: tab === PANEL_TABS[0] ? undefined : tab }, true),
      setRange: (range: AnalyticsRange) =>
        set({ range: range === ANALYTICS_RANGE ? undefined : range }, true),
    }),
    [set],
  );
  return {
    id: /^[1-9]\d{0,14}$/.test(params.panel ?? '') ? (params.panel ?? null) : null,
    tab: oneOf(PANEL_TABS, params.tab, PANEL_TABS[0]),
    range: oneOf(ANALYTICS_RANGES, params.range, ANALYTICS_RANGE),
    focusRequest,
    open,
    ...acts,
  };
}
