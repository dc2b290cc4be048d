import { useBlocker } from '@tanstack/react-router';
import { useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { RuleDraft } from './rule-draft.ts';

/** The question before typed changes are lost. */
export interface LeaveGuard {
  readonly isAsking: boolean;
  readonly stay: () => void;
  readonly discard: () => void;
  /** Leaves without asking, as after a save. */
  readonly leave: (go: () => void) => void;
}

/** Asks before typed changes are lost: on Escape, Cancel, Back, a link, and when the tab closes. */
export function useLeaveGuard(form: UseFormReturn<RuleDraft>): LeaveGuard {
  const isSaved = useRef(false);
  const { isDirty } = form.formState;
  const isInDanger = (): boolean => isDirty && !isSaved.current;
  const blocker = useBlocker({
    // Another search of this page, such as a tab, loses nothing.
    shouldBlockFn: ({ current, next }) => isInDanger() && current.pathname !== next.pathname,
    enableBeforeUnload: isInDanger,
    withResolver: true,
  });
  return {
    isAsking: blocker.status === 'blocked',
    stay: () => blocker.reset?.(),
    discard: () => blocker.proceed?.(),
    leave: (go) => {
      isSaved.current = true;
      go();
    },
  };
}
