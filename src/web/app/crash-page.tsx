import { Unplug } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { StatusHeading, StatusPage } from '#web/ui/status-page.tsx';

/** Shown when a page fails to load or render, such as a chunk removed by an upgrade of the server. Reloading helps. */
export function CrashPage(): React.JSX.Element {
  return (
    <main id="main" className="flex min-h-[60dvh] flex-col p-4" role="alert">
      <StatusPage icon={Unplug}>
        <StatusHeading
          title="Could not show this page"
          text="Part of it failed to load or was replaced by a newer release. Your saved data is safe."
        />
        <Button onClick={() => window.location.reload()}>Reload page</Button>
      </StatusPage>
    </main>
  );
}
