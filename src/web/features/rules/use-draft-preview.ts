import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { RuleFields, type RuleForm, type RulePreview } from '#contract/rules.ts';
import { announce } from '#web/lib/announce.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { useDebounced } from '#web/lib/use-debounced.ts';
import { previewQuery } from './queries.ts';
import { formOf, type RuleDraft } from './rule-draft.ts';

/** Milliseconds without an edit until the preview follows it. */
const PAUSE = 400;
/** A name moves no price, and a draft without one is previewed too. */
const NAMELESS = 'Draft';

/** The region of the preview. */
export const PREVIEW_ID = 'preview';

/** The preview of a draft, which follows every edit. */
export interface DraftPreview {
  /** The latest result; null before the first. */
  readonly shown: RulePreview | null;
  /** Whether the result belongs to the current draft. */
  readonly isCurrent: boolean;
  readonly isPending: boolean;
  /** The draft has a value that cannot be read, so the last result stays. */
  readonly isUnreadable: boolean;
  readonly error: Error | null;
  /** The draft that is previewed; null while none could be read. */
  readonly asked: RuleForm | null;
  readonly retry: () => void;
}

/** @param id the stored rule the draft replaces; null for a new one */
export function useDraftPreview(id: string | null, draft: RuleDraft): DraftPreview {
  const form = effectOf(formOf(draft));
  const effect = RuleFields.safeParse(form).success ? JSON.stringify(form) : null;
  const [usable, setUsable] = useState(effect);
  if (effect !== null && effect !== usable) setUsable(effect);
  const settled = useDebounced(usable, PAUSE);
  const asked = settled === null ? null : (JSON.parse(settled) as RuleForm);
  const query = useQuery({
    ...previewQuery(id, asked ?? form),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
  });
  const isCurrent = effect !== null && effect === settled && query.isSuccess && !query.isPlaceholderData;
  useResult(isCurrent ? query.data : null);
  return {
    shown: query.data ?? null,
    isCurrent,
    isPending: query.isFetching || (effect !== null && effect !== settled),
    isUnreadable: effect === null,
    error: effect !== null && effect === settled ? query.error : null,
    asked,
    retry: () => void query.refetch(),
  };
}

/** Announces a new result: it appears away from the focus. */
function useResult(result: RulePreview | null): void {
  const said = useRef('');
  useEffect(() => {
    if (result === null || result.token === said.current) return;
    said.current = result.token;
    const { changes, recommended, listings } = result;
    announce(
      `Preview: ${formatCount(changes + recommended)} of ${countOf(listings, 'price', 'prices')} would change.`,
    );
  }, [result]);
}

/** Drafts with the same effect are one: a name moves no price, and a paused draft is previewed as active. */
function effectOf(form: RuleForm): RuleForm {
  return { ...form, name: NAMELESS, isActive: true };
}
