import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sessionQuery } from '#web/lib/session.ts';
import { timeZoneQuery } from './queries.ts';

/** In which time hours and days of a rule count. Only administrators see which zone is set. */
export function TimeZoneNote(): React.JSX.Element | null {
  const isAdmin = useQuery(sessionQuery).data?.role === 'admin';
  const zone = useQuery({ ...timeZoneQuery, enabled: isAdmin });
  if (!isAdmin) {
    return (
      <p className="text-sm text-fg-muted">
        Times are in the time zone of your store, or UTC if none is set.
      </p>
    );
  }
  if (zone.data === undefined) return null;
  if (zone.data !== '') return <p className="text-sm text-fg-muted">Times are in {zone.data}.</p>;
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
