import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Books, OpenBooks } from '#contract/books.ts';
import { call, errorText } from '#web/lib/api.ts';
import { booksQuery } from '#web/lib/books.ts';
import { countOf, formatMoney } from '#web/lib/format.ts';
import { queryText } from '#web/lib/list-state.ts';
import { formatDay } from '#web/lib/moments.ts';
import { toast } from '#web/lib/use-toast.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { SettingBlock, SettingsSection } from './settings-section.tsx';

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Closing the books to a day, and opening them again. It takes effect at once, apart from the other settings. */
export function BooksSection(): React.JSX.Element {
  const books = useQuery(booksQuery);
  return (
    <SettingsSection
      id="books"
      subtitle="The profit of closed days never changes. What becomes known later, such as a restated fee or a changed cost, is counted on the first open day. Closing and opening take effect at once, without Save All Settings."
    >
      <SettingBlock>
        {books.error !== null && (
          <LoadFailed
            title="Failed to load the books"
            error={books.error}
            onRetry={() => void books.refetch()}
            retrying={books.isFetching}
          />
        )}
        {books.isPending && <Spinner />}
        {books.data !== undefined && <BooksForm {...books.data} />}
      </SettingBlock>
    </SettingsSection>
  );
}

function BooksForm({ closedUntil }: Books): React.JSX.Element {
  const [day, setDay] = useState('');
  const [reopening, setReopening] = useState<{ readonly day: string | null } | null>(null);
  const isLater = DAY.test(day) && (closedUntil === null || day > closedUntil);
  const isEarlier = DAY.test(day) && closedUntil !== null && day < closedUntil;
  const open = useQuery({
    queryKey: ['books', 'open', day] as const,
    queryFn: () => call(OpenBooks, 'GET', `/api/books/open${queryText({ day })}`),
    enabled: isLater,
  });
  const change = useChangeBooks(() => setDay(''));
  const error = change.error ?? (isLater ? open.error : null);
  const isClosedSo = closedUntil !== null && day === closedUntil;
  return (
    <div className="flex flex-col gap-4">
      <p>{closedUntil === null ? 'No day is closed.' : `Closed through ${formatDay(closedUntil)}.`}</p>
      <TextField
        label="Last closed day"
        type="date"
        hint={
          closedUntil === null
            ? 'All days through this one are closed.'
            : 'A later day closes more days. An earlier day reopens the days after it.'
        }
        fieldClassName="w-64"
        error={error === null ? undefined : errorText(error)}
        value={day}
        onChange={(event) => {
          setDay(event.target.value);
          change.reset();
        }}
      />
      {isClosedSo && <p role="status">Already closed through {formatDay(closedUntil)}.</p>}
      {isLater && open.data !== undefined && <StillOpen open={open.data} />}
      <div className="flex flex-wrap gap-2">
        {isEarlier ? (
          <Button look="outline" onClick={() => setReopening({ day })}>
            Reopen the days after {formatDay(day)}...
          </Button>
        ) : (
          <Button
            look="outline"
            disabled={!isLater || open.data === undefined || open.data.isCalculating}
            pending={change.isPending}
            pendingText="Closing..."
            onClick={() => change.mutate({ path: 'close', day })}
          >
            Close the books
          </Button>
        )}
        {closedUntil !== null && (
          <Button look="quiet" onClick={() => setReopening({ day: null })}>
            Open all days...
          </Button>
        )}
      </div>
      <AlertDialog
        open={reopening !== null}
        onCancel={() => setReopening(null)}
        title={
          reopening?.day == null
            ? 'Open all closed days?'
            : `Reopen the days after ${formatDay(reopening.day)}?`
        }
        action="Open days"
        pendingText="Opening..."
        pending={change.isPending}
        onConfirm={() =>
          change.mutate(
            { path: 'reopen', day: reopening?.day ?? null },
            { onSettled: () => setReopening(null) },
          )
        }
      >
        Their profit becomes what is known now, and the corrections booked for them end. The figures they were
        closed with are lost.
      </AlertDialog>
    </div>
  );
}

/** What is still missing of the days that would be closed. */
function StillOpen({ open }: { open: OpenBooks }): React.JSX.Element {
  const { sales, unknown, notTold, unmatched, unmatchedAmount } = open;
  if (open.isCalculating) {
    return <p role="status">The profit of these days is still being calculated. Try again in a minute.</p>;
  }
  const closed = `${countOf(sales, 'sale', 'sales')} would be closed.`;
  if (notTold + unknown + unmatched === 0) {
    return (
      <p role="status" className="text-sm">
        {closed} Nothing of them is still open.
      </p>
    );
  }
  return (
    <div role="status" className="text-sm">
      <p>{closed} Still open, and counted on the first open day once known:</p>
      <ul className="mt-1 list-disc pl-5 text-fg-muted">
        {notTold > 0 && <li>{countOf(notTold, 'sale', 'sales')} with fees not reported yet</li>}
        {unknown > 0 && <li>{countOf(unknown, 'sale', 'sales')} whose profit is unknown</li>}
        {unmatched > 0 && (
          <li>
            {countOf(unmatched, 'amount', 'amounts')} without a sale, {formatMoney(unmatchedAmount)} together
          </li>
        )}
      </ul>
    </div>
  );
}

type Change = { readonly path: 'close' | 'reopen'; readonly day: string | null };

function useChangeBooks(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ path, day }: Change) => call(Books, 'POST', `/api/books/${path}`, { day }),
    onSuccess: async ({ closedUntil }, { path }) => {
      await client.invalidateQueries({ queryKey: booksQuery.queryKey });
      await client.invalidateQueries({ queryKey: ['profit'] });
      toast(
        path === 'close' ? 'Books closed' : 'Days opened again',
        closedUntil === null ? 'No day is closed.' : `Closed through ${formatDay(closedUntil)}.`,
      );
      onDone();
    },
  });
}
