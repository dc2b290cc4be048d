import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { type Coverage, SKU_PROBLEMS } from '#contract/setup.ts';
import { formatCount } from '#web/lib/format.ts';
import { PROBLEM_TEXT } from '#web/lib/listing-problem-text.ts';
import { sessionQuery } from '#web/lib/session.ts';

type Problem = Coverage['problems'][number]['problem'];

interface BulkFix {
  readonly action: string;
  readonly link: LinkProps;
  /** For a screen that only admins may open. */
  readonly isForAdmins?: true;
}

const RULES: BulkFix = { action: 'Rules', link: { to: '/rules' } };
const IMPORT: BulkFix = {
  action: 'Import the completed file',
  link: { to: '/imports/new', search: { kind: 'skus' } },
};

/** Where all listings of a problem are fixed at once; the others are fixed one by one in their list. */
const BULK_FIXES: Readonly<Partial<Record<Problem, BulkFix>>> = {
  no_sku: IMPORT,
  no_product_cost: IMPORT,
  no_weight: IMPORT,
  no_tier: { action: 'Shipping Tiers', link: { to: '/shipping-tiers' } },
  no_fulfillment_cost: {
    action: 'Set the fee for all',
    link: { to: '/listings', search: { problem: 'no_fulfillment_cost', set: 'fulfillmentCost' } },
  },
  bundle_unconfirmed: { action: 'Bundles', link: { to: '/bundles', search: { state: 'removed' } } },
  no_fee_schedule: {
    action: 'Marketplace fees',
    link: { to: '/costs', search: { tab: 'fees' } },
    isForAdmins: true,
  },
  no_rule: RULES,
  unreadable_rule: RULES,
  margin_impossible: RULES,
};

/** The problems that block listings: each linked to its listings, with a bulk fix next to it. */
export function CoverageProblems({ problems }: Pick<Coverage, 'problems'>): React.JSX.Element | null {
  const isAdmin = useQuery(sessionQuery).data?.role === 'admin';
  if (problems.length === 0) return null;
  return (
    <ul aria-label="Why the others cannot be repriced" className="mt-3 flex flex-col divide-y divide-border">
      {problems.map(({ problem, count }) => {
        const fix = BULK_FIXES[problem];
        return (
          <li key={problem} className="flex flex-wrap items-center justify-between gap-x-4 text-sm">
            <Link
              to="/listings"
              search={{ problem }}
              title={PROBLEM_TEXT[problem].fix}
              className={`${LINK} underline decoration-border-control`}
            >
              <span className="font-semibold tabular-nums">{formatCount(count)}</span>{' '}
              <span className="ml-1.5">{PROBLEM_TEXT[problem].name}</span>
            </Link>
            <span className="ml-auto flex flex-wrap gap-x-4">
              <SkusToComplete problem={problem} />
              {fix !== undefined && (isAdmin || fix.isForAdmins !== true) && (
                <Link {...fix.link} className={`${LINK} text-link`}>
                  {fix.action} <span className="sr-only">to fix: {PROBLEM_TEXT[problem].name}</span>
                </Link>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

const LINK =
  'inline-flex min-h-11 items-center rounded-md underline-offset-2 hover:underline md:min-h-8 [&_svg]:size-4';

/** A CSV file of exactly these SKUs, with their stored data. */
function SkusToComplete({ problem }: { problem: Problem }): React.JSX.Element | null {
  if (!SKU_PROBLEMS.some((each) => each === problem)) return null;
  return (
    <a href={`/api/coverage/skus.csv?problem=${problem}`} download className={`${LINK} gap-1.5 text-link`}>
      <Download aria-hidden />
      Download CSV <span className="sr-only">of the SKUs to complete: {PROBLEM_TEXT[problem].name}</span>
    </a>
  );
}
