import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { loadAnswered } from './connection.ts';

/** A component that is loaded when first shown, or preloaded. */
export interface LazyPart<Props> {
  readonly Part: LazyExoticComponent<ComponentType<Props>>;
  /** Starts to load it. Idempotent; a failure is ignored, and rendering tries again. */
  readonly preload: () => void;
}

/** @param load imports the component; the module stays loaded */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  return {
    Part: lazy(async () => ({ default: await loadAnswered(load) })),
    preload: () => void load().catch(() => undefined),
  };
}
