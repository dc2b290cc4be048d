import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { loadAnswered } from './connection.ts';

/** A part of the page that is loaded when it is first shown, or a moment before. */
export interface LazyPart<Props> {
  readonly Part: LazyExoticComponent<ComponentType<Props>>;
  /** Begins to load it. Cheap to call again; a failure is left to the showing, which tries once more. */
  readonly preload: () => void;
}

/** @param load imports the part; the module stays loaded from then on */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  return {
    Part: lazy(async () => ({ default: await loadAnswered(load) })),
    preload: () => void load().catch(() => undefined),
  };
}
