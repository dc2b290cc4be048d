import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Undefined and "" take a parameter out of the address. */
export type UrlPatch = Readonly<Record<string, string | undefined>>;

interface UrlParams {
  /** As they stand in the address: plain strings, whatever somebody typed there. */
  readonly params: Readonly<Record<string, string | undefined>>;
  /**
   * Changes some and leaves the others.
   * @param replace true leaves no step for Back, as for what was only corrected
   */
  readonly set: (patch: UrlPatch, replace?: boolean) => void;
}

/** The state of a screen that lives in its address, so that Back undoes it and the address can be shared. */
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

/** A page number from the address: 1 for anything that is none. */
export function pageFrom(text: string | undefined): number {
  return text !== undefined && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
}

/** One of the known values, else the standard one: an unknown value in an address is ignored. */
export function oneOf<Value extends string>(
  values: readonly Value[],
  text: string | undefined,
  standard: Value,
): Value {
  return values.find((value) => value === text) ?? standard;
}
