import { Unplug } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { StatusPage } from '#web/ui/status-page.tsx';

/** A fault in the page itself, such as a part that is gone after an upgrade of the server: a reload gets the new one. */
export function CrashPage(): React.JSX.Element {
  return (
    <main id="main" className="flex min-h-[60dvh] flex-col p-4" role="alert">
      <StatusPage icon={Unplug}>
        <PageHeading
          title="This page could not be shown"
          subtitle="A part of it failed or has been replaced by a newer release. Nothing you saved is lost."
        />
        <Button onClick={() => window.location.reload()}>Reload page</Button>
      </StatusPage>
    </main>
  );
}
