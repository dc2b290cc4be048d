import { useQuery } from '@tanstack/react-query';
import type { ImportKind } from '#contract/imports.ts';
import { sessionQuery } from '#web/lib/session.ts';
import { KINDS } from '#web/ui/imports/kinds.ts';

const ALL = Object.keys(KINDS) as ImportKind[];

/** The kinds of file that the reader may import, in order: fees are the administrators'. */
export function useKinds(): readonly ImportKind[] {
  const session = useQuery(sessionQuery);
  return session.data?.role === 'admin' ? ALL : ALL.filter((kind) => kind !== 'fees');
}
