import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { forgetChanges, noteChange } from '#web/lib/live-changes.ts';
import { listenToLiveEvents } from '#web/lib/live-events.ts';
import { createLiveRefresh } from '#web/lib/live-refresh.ts';
import { recheckSession } from '#web/lib/session.ts';

/** While a user is logged in, tracks changes on the server and the end of the session. */
export function useLiveStream(): void {
  const client = useQueryClient();
  useEffect(() => {
    const refresh = createLiveRefresh(client);
    const stop = listenToLiveEvents({
      onEvent: (event) => {
        if (event.kind === 'signedOut') return void recheckSession();
        noteChange(event);
        refresh.note(event);
      },
      onRefused: () => void recheckSession(),
    });
    return () => {
      stop();
      refresh.stop();
      forgetChanges();
    };
  }, [client]);
}
