import { useQuery } from '@tanstack/react-query';
import { OctagonX, Play } from 'lucide-react';
import type { EngineStatus } from '#contract/engine.ts';
import { errorText } from '#web/lib/api.ts';
import { engineQuery } from '#web/lib/engine.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { useUrlParams } from '#web/lib/url-params.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { liveMarketplaces } from './mode-badge.tsx';
import { useHalt, useResume } from './queries.ts';

/** As wide as the longer of the two words: nothing moves when one takes the place of the other. */
const WIDTH = 'min-w-20 md:min-w-23';

/**
 * The kill switch in the header, visible on every page at any scroll position. For all users, without a
 * question. Also works while the repricing state is unknown. While halted, administrators resume here.
 */
export function HaltButton({ isAdmin }: { isAdmin: boolean }): React.JSX.Element | null {
  const engine = useQuery(engineQuery);
  const halt = useHalt();
  if (engine.data?.isHalted === true) return isAdmin ? <ResumeButton status={engine.data} /> : null;
  return (
    <Button
      look="outline"
      onClick={() => halt.mutate()}
      pending={halt.isPending}
      pendingText="Halting..."
      aria-label={halt.isPending ? undefined : 'Halt repricing'}
      className={`${WIDTH} text-danger-text hover:border-danger hover:bg-danger hover:text-danger-fg`}
    >
      <OctagonX aria-hidden />
      Halt
    </Button>
  );
}

function ResumeButton({ status }: { status: EngineStatus }): React.JSX.Element {
  const { set } = useUrlParams();
  const resume = useResume();
  // Without a live marketplace no price changes automatically: there is no preview.
  const go = (): void => {
    if (liveMarketplaces(status).length > 0) {
      set({ resume: 'plan' });
      return;
    }
    resume.mutate(null, {
      onSuccess: () => toast('Repricing resumed', 'New prices are recommended again.'),
      onError: (error) => {
        if (!isDeclined(error)) toast('Could not resume repricing', errorText(error), 'destructive');
      },
    });
  };
  return (
    <Button
      look="outline"
      onClick={go}
      pending={resume.isPending}
      pendingText="Resuming..."
      aria-label={resume.isPending ? undefined : 'Resume repricing'}
      className={WIDTH}
    >
      <Play aria-hidden />
      Resume
    </Button>
  );
}
