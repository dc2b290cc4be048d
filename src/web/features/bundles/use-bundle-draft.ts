import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { BundleComponent, BundlePreview } from '#contract/bundles.ts';
import { useSettled } from '#web/lib/use-settled.ts';
import { type Draft, draftOf, isSameDraft } from './draft.ts';
import { previewQuery, storedQuery } from './queries.ts';

/** The bundle in view: what is stored, and what somebody made of it and has not saved yet. */
export interface BundleDraft {
  /** Null while no listing is selected; then there is nothing to change. */
  readonly listingSku: string | null;
  readonly stored: UseQueryResult<BundleComponent[]>;
  readonly parts: Draft;
  readonly isDirty: boolean;
  /** The stored components that the changes began with. */
  readonly seen: readonly BundleComponent[];
  readonly preview: BundlePreview | undefined;
  readonly previewError: Error | null;
  /** Whether the preview is of what is on screen. */
  readonly isPreviewCurrent: boolean;
  readonly change: (alter: (draft: Draft) => Draft) => void;
  readonly discard: () => void;
  /** What was sent is stored now; changes made meanwhile stay. */
  readonly noteSaved: (sent: Draft, stored: readonly BundleComponent[]) => void;
}

interface Edits {
  readonly listingSku: string;
  readonly parts: Draft;
  readonly seen: readonly BundleComponent[];
}

/** Typing a quantity pauses this long before the figures follow. Milliseconds. */
const PAUSE = 300;
const NOTHING: readonly BundleComponent[] = [];

/** Changes belong to one listing: another one starts with what is stored for it. */
export function useBundleDraft(listingSku: string | null): BundleDraft {
  const stored = useQuery({ ...storedQuery(listingSku ?? ''), enabled: listingSku !== null });
  const [edits, setEdits] = useState<Edits | null>(null);
  const mine = edits !== null && edits.listingSku === listingSku ? edits : null;
  const data = (listingSku === null ? undefined : stored.data) ?? NOTHING;
  const storedParts = useMemo(() => draftOf(data), [data]);
  const parts = mine?.parts ?? storedParts;
  const isReady = listingSku !== null && stored.data !== undefined;
  const preview = usePreview(listingSku, parts, isReady);
  return {
    listingSku,
    stored,
    parts,
    isDirty: mine !== null && !isSameDraft(mine.parts, draftOf(mine.seen)),
    seen: mine?.seen ?? data,
    ...preview,
    change: (alter) => {
      if (!isReady) return;
      setEdits((now) => {
        const from = now?.listingSku === listingSku ? now : { listingSku, parts: storedParts, seen: data };
        return { ...from, parts: alter(from.parts) };
      });
    },
    discard: () => setEdits(null),
    noteSaved: (sent, answer) =>
      setEdits((now) => (now === null || now.parts === sent ? null : { ...now, seen: answer })),
  };
}

function usePreview(
  listingSku: string | null,
  parts: Draft,
  isReady: boolean,
): Pick<BundleDraft, 'preview' | 'previewError' | 'isPreviewCurrent'> {
  const current = useMemo(() => ({ listingSku, parts }), [listingSku, parts]);
  const settled = useSettled(current, PAUSE);
  // Only typing waits: another listing is asked about at once.
  const asked = settled.listingSku === listingSku ? settled : current;
  const preview = useQuery({ ...previewQuery(listingSku ?? '', asked.parts), enabled: isReady });
  return {
    preview: listingSku === null ? undefined : preview.data,
    previewError: preview.error,
    isPreviewCurrent: asked === current && !preview.isPlaceholderData,
  };
}
