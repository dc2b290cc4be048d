import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Tags } from 'lucide-react';
import { expect, vi } from 'vitest';
import { filterParams, type ListSpec, sortParam, useListState } from '#web/lib/list-state.ts';
import type { TableColumn } from '#web/ui/table/column.ts';
import { DataTable } from '#web/ui/table/data-table.tsx';
import { SearchField } from '#web/ui/table/search-field.tsx';
import { useSelection } from '#web/ui/table/use-selection.ts';
import { aUser, serveApi } from './fake-api.ts';
import { renderApp } from './render-app.tsx';

export interface Thing {
  id: string;
  name: string;
  price: number;
}

/** Two hundred and fifty things whose prices run against their names. */
const THINGS: readonly Thing[] = Array.from({ length: 250 }, (_, place) => ({
  id: String(place + 1),
  name: `T-${String(place + 1).padStart(3, '0')}`,
  price: 250 - place,
}));
const SPEC: ListSpec<never, 'name' | 'price'> = {
  filters: {},
  sorts: ['name', 'price'],
  sort: 'name',
  sizes: [5, 10, 200],
  size: 5,
};
/** Called for each row whose cells are drawn. */
export const drawn = vi.fn<(id: string) => void>();
const COLUMNS: readonly TableColumn<Thing>[] = [
  {
    id: 'name',
    label: 'Name',
    width: 120,
    sort: 'name',
    pinned: 'left',
    isRowHeader: true,
    cell: (row) => row.name,
  },
  { id: 'price', label: 'Price', width: 100, align: 'right', sort: 'price', cell: (row) => row.price },
  {
    id: 'note',
    label: 'Note',
    width: 200,
    grows: true,
    cell: (row) => {
      drawn(row.id);
      return `Note on ${row.id}`;
    },
  },
];

export type Load = (key: {
  q: string;
  sort: string;
  page: number;
  size: number;
}) => Promise<{ rows: readonly Thing[]; total: number }>;

/** Answers like the server: searched, sorted over everything, then cut. */
export const load: Load = async ({ q, sort, page, size }) => {
  const found = THINGS.filter(({ name }) => name.includes(q));
  const sorted = found.toSorted((one, other) =>
    sort.endsWith('price') ? one.price - other.price : one.name.localeCompare(other.name),
  );
  if (sort.startsWith('-')) sorted.reverse();
  return { rows: sorted.slice((page - 1) * size, page * size), total: found.length };
};

export const opened = vi.fn();
export const bulk = vi.fn();

function Things({ answer = load }: { answer?: Load }): React.JSX.Element {
  const [state, change] = useListState(SPEC);
  const sort = state.sort === null ? '' : sortParam(state.sort);
  const key = { q: state.q, sort, page: state.page, size: state.size };
  const query = useQuery({
    queryKey: ['things', key],
    queryFn: () => answer(key),
    placeholderData: keepPreviousData,
  });
  const selection = useSelection(JSON.stringify(filterParams(state)));
  return (
    <>
      <h1>Things</h1>
      <DataTable
        name="things"
        caption="Things"
        noun={{ one: 'thing', many: 'things' }}
        columns={COLUMNS}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        query={query}
        sort={state.sort}
        onSort={(next) => change({ sort: next as typeof state.sort })}
        paging={{
          page: state.page,
          size: state.size,
          sizes: SPEC.sizes,
          onPage: (page) => change({ page }),
          onSize: (size) => change({ size }),
        }}
        selection={selection}
        bulkActions={
          <button type="button" onClick={() => bulk(selection.selected)}>
            Act
          </button>
        }
        toolbar={
          <SearchField label="Search things" value={state.q} onSearch={(q) => change({ q }, 'replace')} />
        }
        card={(row) => <p>Card of {row.name}</p>}
        isFiltered={state.q !== ''}
        empty={<p>Nothing yet</p>}
        noResults={<p>Nothing found</p>}
        rowKeys={{ Enter: opened }}
      />
    </>
  );
}

/** A screen with one table, and who uses it. */
export async function openThings(address = '/things', answer?: Load) {
  serveApi({ 'GET /api/user': { body: aUser() } });
  opened.mockClear();
  bulk.mockClear();
  const component = (): React.JSX.Element => <Things {...(answer === undefined ? {} : { answer })} />;
  const router = renderApp(address, [
    { path: '/things', label: 'Things', icon: Tags, access: 'user', component },
  ]);
  await screen.findByRole('heading', { name: 'Things' });
  return { user: userEvent.setup(), router, where: () => router.state.location.href };
}

export const names = (): string[] => screen.queryAllByRole('rowheader').map((cell) => cell.textContent ?? '');
export const showing = (...expected: string[]): Promise<void> =>
  waitFor(() => expect(names()).toEqual(expected));
export const box = (name: string): HTMLInputElement => screen.getByRole('checkbox', { name });
export const ticked = (): string[] =>
  screen
    .getAllByRole<HTMLInputElement>('checkbox', { name: /^Select T-/ })
    .filter(({ checked }) => checked)
    .map((each) => (each.ariaLabel ?? each.getAttribute('aria-label') ?? '').replace('Select ', ''));
export const bar = () => within(screen.getByRole('region', { name: 'Selected rows' }));
