import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { forgetChanges, noteChange } from '#web/lib/live-changes.ts';
import { listenToLiveEvents } from '#web/lib/live-events.ts';
import { endSession, recheckSession } from '#web/lib/session.ts';

/** While somebody is signed in, keeps note of what changes on the server, and sees the session end. */
export function useLiveStream(): void {
  const client = useQueryClient();
  useEffect(() => {
    const stop = listenToLiveEvents({
      onEvent: (event) => (event.kind === 'signedOut' ? endSession(client) : noteChange(event)),
      onRefused: () => void recheckSession(client),
    });
    return () => {
      stop();
      forgetChanges();
    };
  }, [client]);
}
