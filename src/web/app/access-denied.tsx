import { Link } from '@tanstack/react-router';
import { ShieldAlert } from 'lucide-react';
import { buttonClasses } from '#web/ui/button.tsx';
import { StatusHeading, StatusPage } from '#web/ui/status-page.tsx';

/** Shown to a logged-in user without the admin role at an admin address. */
export function AccessDenied(): React.JSX.Element {
  return (
    <StatusPage icon={ShieldAlert}>
      <StatusHeading title="Access Denied" text="You need administrator privileges to access this page." />
      <Link to="/" className={buttonClasses()}>
        Go to Dashboard
      </Link>
    </StatusPage>
  );
}
