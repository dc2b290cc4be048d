import type { User } from '#contract/users.ts';
import { useUrlParams } from '#web/lib/url-params.ts';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { DataTable } from '#web/ui/table/data-table.tsx';
import { SearchField } from '#web/ui/table/search-field.tsx';
import { USER_COLUMNS, UserCard } from './user-columns.tsx';
import { searchUsers } from './user-search.ts';
import { nameOf } from './users-screen.ts';

const NOUN = { one: 'user', many: 'users' };
const NO_USERS = <EmptyNote>No users found</EmptyNote>;

type ActiveCardProps = { users: readonly User[]; isFetching: boolean; refetch: () => unknown };

/** Approved users, with a search. */
export function ActiveCard({ users, isFetching, refetch }: ActiveCardProps): React.JSX.Element {
  const { params, set } = useUrlParams();
  const wanted = params.q ?? '';
  const rows = searchUsers(users, wanted);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <h2 className="text-md font-semibold">Active Users ({users.length})</h2>
      <DataTable
        name="users"
        caption="Active users"
        noun={NOUN}
        density="comfortable"
        columns={USER_COLUMNS}
        rowId={({ id }) => id}
        rowName={nameOf}
        query={{
          data: { rows, total: rows.length },
          error: null,
          isFetching,
          isPlaceholderData: false,
          refetch,
        }}
        toolbar={<SearchField label="Search users..." value={wanted} onSearch={(q) => set({ q }, true)} />}
        card={(user) => <UserCard user={user} />}
        isFiltered={wanted !== ''}
        empty={NO_USERS}
        noResults={NO_USERS}
      />
    </div>
  );
}
