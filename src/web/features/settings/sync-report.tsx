import { Link } from '@tanstack/react-router';
import type { VeeqoSync } from '#contract/settings.ts';
import { countOf } from '#web/lib/format.ts';
import { Callout } from '#web/ui/callout.tsx';
import { syncDoneText } from './veeqo-sync-text.ts';

type PassedOver = VeeqoSync['passedOverItems'][number];

const WHY: Readonly<Record<PassedOver['why'], (item: PassedOver) => string>> = {
  no_code: () => 'has no SKU in Veeqo, or one that is too long',
  kit: () => 'is a kit; set it up as a bundle',
  repeated: () => 'has the SKU of another product in Veeqo',
  unreadable: ({ member, value }) => `cannot be read: ${member} is "${value}"; correct it in Veeqo`,
};

/** The result of a sync, with the SKUs that need attention. */
export function SyncReport({ result }: { result: VeeqoSync }): React.JSX.Element {
  const {
    skipped,
    skippedSkus,
    leftDeleted,
    leftDeletedSkus,
    incomplete,
    incompleteSkus,
    passedOver,
    passedOverItems,
  } = result;
  return (
    <Callout tone="success" title="Sync completed">
      <p>{syncDoneText(result)}</p>
      {incomplete > 0 && (
        <Details
          title={`${countOf(incomplete, 'new SKU has', 'new SKUs have')} no cost or no weight in Veeqo`}
          total={incomplete}
          items={incompleteSkus}
        >
          Their listings are not repriced until you enter them under{' '}
          <Link to="/skus" className="rounded-sm text-link underline">
            SKUs
          </Link>
          , one by one or as a file.
        </Details>
      )}
      {skipped > 0 && (
        <Details title={countOf(skipped, 'skipped SKU', 'skipped SKUs')} total={skipped} items={skippedSkus}>
          They already exist and were not changed.
        </Details>
      )}
      {leftDeleted > 0 && (
        <Details
          title={`${countOf(leftDeleted, 'SKU was', 'SKUs were')} deleted here and not restored`}
          total={leftDeleted}
          items={leftDeletedSkus}
        >
          A sync does not restore deleted SKUs. Add them again under{' '}
          <Link to="/skus" className="rounded-sm text-link underline">
            SKUs
          </Link>{' '}
          if you sell them.
        </Details>
      )}
      {passedOver > 0 && (
        <Details
          title={countOf(passedOver, 'product not imported', 'products not imported')}
          total={passedOver}
          items={passedOverItems.map((item) => `${item.what} ${WHY[item.why](item)}`)}
        />
      )}
    </Callout>
  );
}

type DetailsProps = {
  title: string;
  total: number;
  items: readonly string[];
  children?: React.ReactNode;
};

function Details({ title, total, items, children }: DetailsProps): React.JSX.Element {
  const isCut = total > items.length;
  return (
    <details className="mt-2">
      <summary className="min-h-6 cursor-pointer rounded-sm">{title}</summary>
      {children !== undefined && <p className="text-fg-muted">{children}</p>}
      <ul className="mt-1 max-h-60 list-disc overflow-y-auto pl-6 font-mono text-sm wrap-anywhere">
        {[...new Set(items)].map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
      {isCut && (
        <p className="text-sm text-fg-muted">
          The first {items.length} of {countOf(total, 'entry', 'entries')}.
        </p>
      )}
    </details>
  );
}
