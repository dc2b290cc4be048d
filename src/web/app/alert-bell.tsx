import { useQuery } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { Suspense, useState } from 'react';
import { alertsQuery, useMarkAlertsSeen } from '#web/lib/alerts.ts';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { Tip } from '#web/ui/tooltip.tsx';

const List = lazyPart(async () => (await import('./alert-list.tsx')).AlertList);
/** The highest count shown; above it, "9+". */
const MAX_SHOWN = 9;

/** The bell with the alerts; its badge counts those not seen yet. */
export function AlertBell(): React.JSX.Element {
  const { data, isError, error, isFetching, refetch } = useQuery(alertsQuery);
  const [isOpen, setOpen] = useState(false);
  const markSeen = useMarkAlertsSeen();
  const unseen = data?.unseen ?? 0;
  const name = unseen === 0 ? 'Alerts' : `Alerts: ${unseen} new`;
  const openOrClose = (open: boolean): void => {
    setOpen(open);
    if (open && unseen > 0) markSeen();
  };
  return (
    <Popover
      label="Alerts"
      open={isOpen}
      onOpenChange={openOrClose}
      trigger={
        <Button
          look="quiet"
          size="icon"
          aria-label={name}
          onPointerEnter={List.preload}
          onFocus={List.preload}
        >
          <Tip text={name} enabled={!isOpen}>
            <span className="relative">
              <Bell aria-hidden />
              {unseen > 0 && <Count unseen={unseen} />}
            </span>
          </Tip>
        </Button>
      }
    >
      <h2 className="border-b px-4 py-2 font-semibold">Alerts</h2>
      {isError && (
        <div className="p-4">
          <LoadFailed
            title="Failed to load the alerts"
            error={error}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        </div>
      )}
      {data !== undefined && (
        <Suspense fallback={<div className="h-20" />}>
          <List.Part alerts={data.alerts} onFollow={() => setOpen(false)} />
        </Suspense>
      )}
    </Popover>
  );
}

function Count({ unseen }: { unseen: number }): React.JSX.Element {
  return (
    <span
      aria-hidden
      className="absolute -top-2 -right-2.5 min-w-4.5 rounded-full bg-danger px-1 text-center text-[0.6875rem] leading-4.5 font-semibold text-danger-fg tabular-nums"
    >
      {unseen > MAX_SHOWN ? `${MAX_SHOWN}+` : unseen}
    </span>
  );
}
