import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { EngineStatus } from '#contract/engine.ts';
import { sessionQuery } from '#web/lib/session.ts';
import { toast } from '#web/lib/use-toast.ts';
import { HALTED_TEXT } from './halted-text.tsx';

/**
 * One toast when another user, or the circuit breaker, halts repricing while this page is open. Not for a halt from
 * this page, which has its own toast, nor with notifications off; the bar is red either way.
 */
export function useHaltToast(status: EngineStatus | undefined): void {
  const session = useQuery({ ...sessionQuery, enabled: false });
  const me = session.data?.fullName;
  const wasHalted = useRef<boolean | null>(null);
  useEffect(() => {
    if (status === undefined) return;
    const { isHalted, haltedBy, haltReason, notifications } = status;
    const isNews = wasHalted.current === false && isHalted && haltedBy !== me;
    wasHalted.current = isHalted;
    if (!isNews || !notifications) return;
    const by = haltedBy === null ? '' : ` by ${haltedBy}`;
    toast(`Repricing halted${by}`, haltReason ?? HALTED_TEXT, 'destructive');
  }, [status, me]);
}
