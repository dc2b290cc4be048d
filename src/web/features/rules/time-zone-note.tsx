import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sessionQuery } from '#web/lib/session.ts';
import { useStoreZone } from './store-time.ts';

/** In which time zone hours, days and dates of a rule count, and that none is set. */
export function TimeZoneNote(): React.JSX.Element | null {
  const isAdmin = useQuery(sessionQuery).data?.role === 'admin';
  const zone = useStoreZone();
  if (zone === undefined) return null;
  if (zone !== null) return <p className="text-sm text-fg-muted">Times are in {zone}.</p>;
  if (!isAdmin) {
    return (
      <p className="text-sm text-fg-muted">
        Times are in UTC until an administrator sets the time zone of your store.
      </p>
    );
  }
  return (
    <p className="text-sm text-fg-muted">
      Times are in UTC until you set the time zone of your store in{' '}
      <Link to="/settings" className="text-link underline">
        Settings
      </Link>
      .
    </p>
  );
}
