import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { BundlesPage } from '#contract/bundles.ts';
import { countOf } from '#web/lib/format.ts';
import { Callout } from '#web/ui/callout.tsx';
import { touchTarget } from '#web/ui/control-classes.ts';
import { BUNDLE_LIST, listQuery } from './queries.ts';

/** The first page of bundles that need confirmation. */
const REMOVED = {
  q: '',
  filters: { state: 'removed' },
  sort: null,
  page: 1,
  size: BUNDLE_LIST.size,
};

type BelowRemovedCalloutProps = {
  /** Whether there is room for it: not while a bundle is being edited. */
  isShown: boolean;
  children: React.ReactNode;
};

/**
 * Removed bundles that need confirmation, first on the page: they block prices.
 * The content below is shown after they have loaded, so that it does not move.
 */
export function BelowRemovedCallout({ isShown, children }: BelowRemovedCalloutProps): React.ReactNode {
  const { data, isPending } = useQuery(listQuery(REMOVED));
  if (isPending) return null;
  return (
    <>
      {isShown && data !== undefined && data.total > 0 && <RemovedCallout {...data} />}
      {children}
    </>
  );
}

function RemovedCallout({ rows, total }: BundlesPage): React.JSX.Element {
  return (
    <Callout
      tone="danger"
      title={`${countOf(total, 'removed bundle needs', 'removed bundles need')} confirmation`}
    >
      <p className="text-fg-muted">
        The costs of {total === 1 ? 'its' : 'their'} listings are unknown, so their prices do not change. Open{' '}
        {total === 1 ? 'it' : 'each'}, and save its components again or confirm that it is not a bundle.
      </p>
      <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1">
        {rows.map(({ listingSku }) => (
          <li key={listingSku}>
            <Link
              to="/bundles"
              search={{ listing: listingSku }}
              className={`inline-block font-mono text-link underline underline-offset-2 ${touchTarget}`}
            >
              {listingSku}
            </Link>
          </li>
        ))}
        {total > rows.length && (
          <li>
            <Link
              to="/bundles"
              search={{ state: 'removed' }}
              className={`inline-block text-link underline underline-offset-2 ${touchTarget}`}
            >
              all {total} in the list below
            </Link>
          </li>
        )}
      </ul>
    </Callout>
  );
}
