import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { useUrlParams } from './url-params.ts';

interface AddressedDialog<About> {
  /** What it is about; null while it is closed. */
  readonly about: About | null;
  /** Puts it in the address, "1" where there is only one of its kind. Back closes it. */
  readonly open: (value?: string) => void;
  readonly close: () => void;
}

/**
 * A dialog, menu or panel that is in view while the address names it, so that it survives a reload and can be shared.
 * What it is about is kept as it was first found: a list that is read again neither changes nor closes what is looked
 * at. A value that names nothing leaves the address, so that nothing opens by surprise later.
 * @param name its parameter: "revert" for `?revert=3-12`
 * @param find what the value names: undefined for nothing, null while that is not known yet
 * @param onNothing says why it does not open; quiet unless given
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
  const tell = useEffectEvent(() => onNothing?.(value ?? ''));
  useEffect(() => {
    if (!isNothing) return;
    tell();
    close();
  }, [isNothing, close]);
  return { about: found ?? null, open, close };
}
