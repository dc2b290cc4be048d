import { Link } from '@tanstack/react-router';
import { ShieldAlert } from 'lucide-react';
import { buttonClasses } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { StatusPage } from '#web/ui/status-page.tsx';

/** Shown to a signed-in user without the admin role at an admin address. */
export function AccessDenied(): React.JSX.Element {
  return (
    <StatusPage icon={ShieldAlert}>
      <PageHeading title="Access Denied" subtitle="You need administrator privileges to access this page." />
      <Link to="/" className={buttonClasses()}>
        Go to Dashboard
      </Link>
    </StatusPage>
  );
}
