import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { BundleComponent, BundlePreview } from '#contract/bundles.ts';
import { useDebounced } from '#web/lib/use-debounced.ts';
import { type Draft, draftOf, isSameDraft } from './draft.ts';
import { previewQuery, storedQuery } from './queries.ts';

/** The edited bundle: the stored one and its unsaved changes. */
export interface BundleDraft {
  /** Null while no listing is selected; then nothing can be changed. */
  readonly listingSku: string | null;
  readonly stored: UseQueryResult<BundleComponent[]>;
  readonly parts: Draft;
  readonly isDirty: boolean;
  /** The stored components that the edit started from. */
  readonly seen: readonly BundleComponent[];
  readonly preview: BundlePreview | undefined;
  readonly previewError: Error | null;
  /** Whether the preview belongs to the current draft. */
  readonly isPreviewCurrent: boolean;
  readonly change: (alter: (draft: Draft) => Draft) => void;
  /** The same for later, as for an Undo. @returns false if the draft is no longer open, and nothing was changed */
  readonly changeLater: (alter: (draft: Draft) => Draft) => boolean;
  readonly discard: () => void;
  /** The sent components are stored now; later changes stay. */
  readonly noteSaved: (sent: Draft, stored: readonly BundleComponent[]) => void;
}

interface Edits {
  readonly listingSku: string;
  readonly parts: Draft;
  readonly seen: readonly BundleComponent[];
}

/** Milliseconds after the last keystroke before the figures follow. */
const PAUSE = 300;
const NOTHING: readonly BundleComponent[] = [];

/** Changes belong to one listing: another one starts with its stored bundle. */
export function useBundleDraft(listingSku: string | null): BundleDraft {
  const stored = useQuery({ ...storedQuery(listingSku ?? ''), enabled: listingSku !== null });
  const [edits, setEdits] = useState<Edits | null>(null);
  const mine = edits !== null && edits.listingSku === listingSku ? edits : null;
  const data = (listingSku === null ? undefined : stored.data) ?? NOTHING;
  const storedParts = useMemo(() => draftOf(data), [data]);
  const parts = mine?.parts ?? storedParts;
  const isReady = listingSku !== null && stored.data !== undefined;
  const preview = usePreview(listingSku, parts, isReady);
  const change: BundleDraft['change'] = (alter) => {
    if (!isReady) return;
    setEdits((now) => {
      const from = now?.listingSku === listingSku ? now : { listingSku, parts: storedParts, seen: data };
      return { ...from, parts: alter(from.parts) };
    });
  };
  const inView = useInView(listingSku, change);
  return {
    listingSku,
    stored,
    parts,
    isDirty: mine !== null && !isSameDraft(mine.parts, draftOf(mine.seen)),
    seen: mine?.seen ?? data,
    ...preview,
    change,
    changeLater: (alter) => {
      const now = inView.current;
      if (now?.listingSku !== listingSku) return false;
      now.change(alter);
      return true;
    },
    discard: () => setEdits(null),
    noteSaved: (sent, answer) =>
      setEdits((now) => (now === null || now.parts === sent ? null : { ...now, seen: answer })),
  };
}

type InView = Pick<BundleDraft, 'listingSku' | 'change'>;

/** The current draft at the time of the call; null once the screen is closed. */
function useInView(listingSku: string | null, change: BundleDraft['change']): React.RefObject<InView | null> {
  const inView = useRef<InView | null>(null);
  useEffect(() => {
    inView.current = { listingSku, change };
  });
  useEffect(
    () => () => {
      inView.current = null;
    },
    [],
  );
  return inView;
}

function usePreview(
  listingSku: string | null,
  parts: Draft,
  isReady: boolean,
): Pick<BundleDraft, 'preview' | 'previewError' | 'isPreviewCurrent'> {
  const current = useMemo(() => ({ listingSku, parts }), [listingSku, parts]);
  const settled = useDebounced(current, PAUSE);
  // Only typing is debounced: another listing is loaded at once.
  const requested = settled.listingSku === listingSku ? settled : current;
  const preview = useQuery({ ...previewQuery(listingSku ?? '', requested.parts), enabled: isReady });
  return {
    preview: listingSku === null ? undefined : preview.data,
    previewError: preview.error,
    isPreviewCurrent: requested === current && !preview.isPlaceholderData,
  };
}
