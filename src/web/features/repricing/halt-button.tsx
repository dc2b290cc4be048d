import { useQuery } from '@tanstack/react-query';
import { OctagonX } from 'lucide-react';
import { engineQuery } from '#web/lib/engine.ts';
import { Button } from '#web/ui/button.tsx';
import { useHalt } from './queries.ts';

/**
 * The kill switch in the header, visible on every page at any scroll position. For all users, without a
 * question. Also works while the repricing state is unknown.
 */
export function HaltButton(): React.JSX.Element | null {
  const engine = useQuery(engineQuery);
  const halt = useHalt();
  if (engine.data?.isHalted === true) return null;
  return (
    <Button
      look="outline"
      onClick={() => halt.mutate()}
      pending={halt.isPending}
      pendingText="Halting..."
      aria-label={halt.isPending ? undefined : 'Halt repricing'}
      className="border-danger-text text-danger-text max-sm:w-11 max-sm:px-0"
    >
      <OctagonX aria-hidden />
      <span className="max-sm:sr-only">Halt</span>
    </Button>
  );
}
