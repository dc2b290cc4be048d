import { useCallback, useMemo, useState } from 'react';
import { useUrlParams } from '#web/lib/url-params.ts';

/** The row open next to the list, from the address. */
export interface AuditSheetState {
  /** Null while it is closed. */
  readonly id: string | null;
  /** Increases each time the user opens a row: the sheet then takes the focus. */
  readonly focusRequest: number;
  readonly open: (id: string) => void;
  /** Shows another row in the open sheet. */
  readonly show: (id: string) => void;
  readonly close: () => void;
}

export function useAuditSheet(): AuditSheetState {
  const { params, set } = useUrlParams();
  const [focusRequest, setFocusRequest] = useState(0);
  const open = useCallback(
    (id: string) => {
      setFocusRequest((count) => count + 1);
      set({ row: id });
    },
    [set],
  );
  const acts = useMemo(
    () => ({ show: (id: string) => set({ row: id }, true), close: () => set({ row: undefined }) }),
    [set],
  );
  return { id: params.row ?? null, focusRequest, open, ...acts };
}
