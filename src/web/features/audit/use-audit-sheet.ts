import { useCallback, useMemo, useState } from 'react';
import { useUrlParams } from '#web/lib/url-params.ts';

/** Which row stands open beside the list, as the address says. */
export interface AuditSheetState {
  /** Null while it is closed. */
  readonly id: string | null;
  /** Rises with every wish to open it by hand: then it takes the focus. */
  readonly focusRequest: number;
  readonly open: (id: string) => void;
  /** Another row in the open sheet. */
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
