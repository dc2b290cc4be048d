import { useQueryClient } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { announce } from '#web/lib/announce.ts';
import { checkConnection, useIsConnected } from '#web/lib/connection.ts';
import { ENGINE_KEY } from '#web/lib/engine.ts';
import { JOBS_KEY } from '#web/lib/jobs.ts';
import { noteChange } from '#web/lib/live-changes.ts';
import { Button } from '#web/ui/button.tsx';

/** Shown under the header while the server does not answer; disappears automatically. */
export function ConnectionBanner(): React.JSX.Element | null {
  const isConnected = useIsConnected();
  useNewsAfterSilence(isConnected);
  useEffect(() => {
    const check = (): void => void checkConnection();
    window.addEventListener('offline', check);
    window.addEventListener('online', check);
    return () => {
      window.removeEventListener('offline', check);
      window.removeEventListener('online', check);
    };
  }, []);
  if (isConnected) return null;
  return (
    <div
      role="alert"
      className="sticky top-12 z-10 flex flex-wrap items-center gap-x-4 gap-y-2 bg-danger px-4 py-2 text-danger-fg print:hidden"
    >
      <CloudOff aria-hidden className="size-5 shrink-0" />
      <p className="min-w-0 flex-1 basis-64">
        <strong className="font-semibold">Pricewright is not responding.</strong> What you see may be out of
        date, and nothing can be saved. Pricewright retries automatically.
      </p>
      <Button look="outline" className="text-fg" onClick={() => void checkConnection()}>
        Try now
      </Button>
    </div>
  );
}

/** Events sent while offline are lost: marks the figures as possibly old, reloads jobs and repricing state. */
function useNewsAfterSilence(isConnected: boolean): void {
  const client = useQueryClient();
  const was = useRef(isConnected);
  useEffect(() => {
    if (isConnected && !was.current) {
      announce('Pricewright is responding again');
      noteChange({ kind: 'resync' });
      for (const queryKey of [ENGINE_KEY, JOBS_KEY]) void client.invalidateQueries({ queryKey });
      // Queries that failed while offline are loaded now, so that no page stays broken after reconnecting.
      void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
    }
    was.current = isConnected;
  }, [isConnected, client]);
}
