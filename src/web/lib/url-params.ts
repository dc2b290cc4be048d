import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Undefined and "" remove a parameter. */
export type UrlPatch = Readonly<Record<string, string | undefined>>;

interface UrlParams {
  /** As in the address: unchecked strings. */
  readonly params: Readonly<Record<string, string | undefined>>;
  /**
   * Changes some parameters and keeps the others.
   * @param replace true adds no history entry, as for a correction
   */
  readonly set: (patch: UrlPatch, replace?: boolean) => void;
}

/** State of a screen in its address, so that Back undoes it and the address can be shared. */
export function useUrlParams(): UrlParams {
  const params: Record<string, string | undefined> = useSearch({ strict: false });
  const navigate = useNavigate();
  const set = useCallback(
    (patch: UrlPatch, replace = false) =>
      void navigate({
        to: '.',
        search: (current: Record<string, string | undefined>) => ({ ...current, ...patch }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  );
  return { params, set };
}

/** A page number from the address: 1 for an invalid one. */
export function pageFrom(text: string | undefined): number {
  return text !== undefined && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
}

/** One of the known values, else the default: an unknown value in an address is ignored. */
export function oneOf<Value extends string>(
  values: readonly Value[],
  text: string | undefined,
  standard: Value,
): Value {
  return values.find((value) => value === text) ?? standard;
}
