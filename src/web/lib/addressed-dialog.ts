import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { useUrlParams } from './url-params.ts';

interface AddressedDialog<About> {
  /** The item it shows; null while it is closed. */
  readonly about: About | null;
  /** Writes it to the address, "1" where only one can exist. Back closes it. */
  readonly open: (value?: string) => void;
  readonly close: () => void;
}

/**
 * A dialog, menu or panel that is open while the address names it, so that it survives a reload and can be shared.
 * Its item is kept as first found: reloading a list neither changes nor closes an open dialog. A value that
 * matches nothing is removed from the address, so that nothing opens unexpectedly later.
 * @param name its parameter: "revert" for `?revert=3-12`
 * @param find the item for the value: undefined if there is none, null while that is unknown
 * @param onNothing reports why it does not open; default: nothing
 */
export function useAddressedDialog<About extends object | string | true>(
  name: string,
  find: (value: string) => About | null | undefined,
  onNothing?: (value: string) => void,
): AddressedDialog<About> {
  const { params, set } = useUrlParams();
  const value = params[name];
  const [kept, setKept] = useState<{ readonly value: string; readonly about: About } | null>(null);
  const found = value === undefined ? null : kept?.value === value ? kept.about : find(value);
  if (value === undefined) {
    if (kept !== null) setKept(null);
  } else if (found != null && kept?.value !== value) setKept({ value, about: found });
  const open = useCallback((next = '1') => set({ [name]: next }), [name, set]);
  const close = useCallback(() => set({ [name]: undefined }, true), [name, set]);
  const isNothing = found === undefined;
  const notify = useEffectEvent(() => onNothing?.(value ?? ''));
  useEffect(() => {
    if (!isNothing) return;
    notify();
    close();
  }, [isNothing, close]);
  return { about: found ?? null, open, close };
}
