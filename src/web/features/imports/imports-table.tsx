import { Link } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, Clock, ListChecks, type LucideIcon, Play } from 'lucide-react';
import type { Import } from '#contract/imports.ts';
import { formatCount } from '#web/lib/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { KINDS } from '#web/ui/imports/kinds.ts';
import { MomentText } from '#web/ui/moment-text.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { DeleteImport } from './delete-import.tsx';

type StateBadge = {
  text: string;
  tone: 'neutral' | 'success' | 'warning' | 'danger' | 'info';
  icon: LucideIcon;
};

const BADGES = {
  uploaded: { text: 'Columns open', tone: 'warning', icon: Clock },
  checking: { text: 'Checking', tone: 'info', icon: Play },
  checked: { text: 'Ready to import', tone: 'warning', icon: ListChecks },
  importing: { text: 'Importing', tone: 'info', icon: Play },
  done: { text: 'Imported', tone: 'success', icon: CircleCheck },
  failed: { text: 'Failed', tone: 'danger', icon: CircleAlert },
} as const satisfies Record<Import['state'], StateBadge>;

/** A file that a job reads stays. */
const AT_WORK: ReadonlySet<Import['state']> = new Set(['checking', 'importing']);

/** The newest imports; each leads to its current step. */
export function ImportsTable({ imports }: { imports: readonly Import[] }): React.JSX.Element {
  return (
    <PlainTable caption="Newest imports">
      <thead>
        <tr>
          <HeadCell>File</HeadCell>
          <HeadCell>Kind</HeadCell>
          <HeadCell>State</HeadCell>
          <HeadCell>When</HeadCell>
          <HeadCell>By</HeadCell>
          <HeadCell numeric>Rows</HeadCell>
          <HeadCell numeric>Rejected</HeadCell>
          <HeadCell>
            <span className="sr-only">Delete</span>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {imports.map((each) => {
          const badge = BADGES[each.state];
          return (
            <tr key={each.id} className="hover:bg-hover">
              <Cell>
                <Link
                  to="/imports/$id"
                  params={{ id: each.id }}
                  className="inline-flex min-h-11 min-w-36 items-center rounded-sm break-all text-link hover:underline md:min-h-8"
                >
                  {each.fileName}
                </Link>
              </Cell>
              <Cell className="whitespace-nowrap">{KINDS[each.kind].label}</Cell>
              <Cell className="whitespace-nowrap">
                <Badge tone={badge.tone} icon={badge.icon}>
                  {badge.text}
                </Badge>
              </Cell>
              <Cell>
                <MomentText iso={each.createdAt} />
              </Cell>
              <Cell>{each.createdBy}</Cell>
              <Cell numeric>{each.counts === null ? '' : formatCount(each.counts.rows)}</Cell>
              <Cell numeric>{each.counts === null ? '' : formatCount(each.counts.rejected)}</Cell>
              <Cell>
                {AT_WORK.has(each.state) ? null : <DeleteImport id={each.id} fileName={each.fileName} />}
              </Cell>
            </tr>
          );
        })}
      </tbody>
    </PlainTable>
  );
}
