import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download, Upload } from 'lucide-react';
import type { ImportKind } from '#contract/imports.ts';
import { buttonClasses } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { touchTarget } from '#web/ui/control-classes.ts';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { importsQuery } from '#web/ui/imports/import-calls.ts';
import { KINDS } from '#web/ui/imports/kinds.ts';
import { ListSkeleton } from '#web/ui/list-skeleton.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { ImportsTable } from './imports-table.tsx';
import { useIsAdmin } from './use-is-admin.ts';
import { useKinds } from './use-kinds.ts';

/** What can be brought in from files, with a template of each, and the newest imports. */
export function ImportsPage(): React.JSX.Element {
  const imports = useQuery(importsQuery);
  const kinds = useKinds();
  return (
    <div className="flex flex-col gap-3">
      <PageHeading
        title="Imports"
        subtitle="Import your catalog from CSV files. Every file is checked first; nothing is saved until you confirm."
      />
      <section aria-labelledby="import-a-file" className="flex flex-col gap-3">
        <div className="flex flex-col gap-0.5">
          <h2 id="import-a-file" className="text-md font-semibold">
            Import a file
          </h2>
          <ConnectedNote />
        </div>
        <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3 wide:grid-cols-4">
          {kinds.map((kind) => (
            <li key={kind}>
              <KindCard kind={kind} />
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="newest-imports" className="flex flex-col gap-3">
        <h2 id="newest-imports" className="text-md font-semibold">
          Newest imports
        </h2>
        <QueryView
          query={imports}
          loading={<ListSkeleton />}
          failed={(error, retry) => (
            <LoadFailed
              title="Failed to load the imports"
              error={error}
              onRetry={retry}
              retrying={imports.isFetching}
            />
          )}
        >
          {(rows) =>
            rows.length === 0 ? (
              <EmptyNote>
                No imports yet. Start with SKUs and costs, then listings and competitor offers. You can also
                enter shipping tiers by hand.
              </EmptyNote>
            ) : (
              <ImportsTable imports={rows} />
            )
          }
        </QueryView>
      </section>
    </div>
  );
}

/** Listings of connected marketplaces need no file. */
function ConnectedNote(): React.JSX.Element {
  const isAdmin = useIsAdmin();
  return (
    <p className="max-w-[80ch] text-fg-muted">
      Listings from connected marketplaces are synced automatically.
      {isAdmin && (
        <>
          {' '}
          Connect them in{' '}
          <Link to="/settings" className={`rounded-sm text-link underline ${touchTarget}`}>
            Settings
          </Link>
          .
        </>
      )}
    </p>
  );
}

function KindCard({ kind }: { kind: ImportKind }): React.JSX.Element {
  const { label, about } = KINDS[kind];
  return (
    <Card className="flex h-full flex-col gap-3">
      <div className="flex-1">
        <h3 className="text-md font-semibold">{label}</h3>
        <p className="mt-1 text-fg-muted">{about}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Link
          to="/imports/new"
          search={{ kind }}
          aria-label={`Import ${label}`}
          className={buttonClasses({ look: 'outline' })}
        >
          <Upload aria-hidden />
          Import
        </Link>
        <a
          href={`/api/imports/template/${kind}.csv`}
          download
          aria-label={`Download template for ${label}`}
          className={buttonClasses({ look: 'quiet' })}
        >
          <Download aria-hidden />
          Template
        </a>
      </div>
    </Card>
  );
}
