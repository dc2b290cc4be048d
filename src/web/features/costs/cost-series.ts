import type { QueryClient } from '@tanstack/react-query';
import type { CostRow } from '#contract/cost-list.ts';
import type { BelowMarginFloor, CostPartName, SavedCosts } from '#contract/costs.ts';
import { errorText } from '#web/lib/api.ts';
import { countOf, formatMoney } from '#web/lib/format.ts';
import { markOld } from '#web/lib/live-changes.ts';
import { type ReportedAction, reportUndoable, UndoRefused } from '#web/lib/recent-actions-store.ts';
import { createStore } from '#web/lib/store.ts';
import { saveCosts } from '#web/ui/costs/cost-calls.ts';
import { costsForm } from '#web/ui/costs/cost-form.ts';
import type { SeenVersions } from './cost-drafts.ts';
import { noteSavedCosts, reloadCosts, showCost } from './cost-queries.ts';
import { cellName } from './cost-text.ts';
import { createOwnSavedVersions } from './own-saved-versions.ts';

/** One cost typed into its cell. */
export interface CostChange {
  readonly row: CostRow;
  readonly part: CostPartName;
  readonly amount: string | null;
  readonly seen: SeenVersions;
  /** The server rejected it: the typed text returns to its cell. */
  readonly onRefused: (why: string) => void;
}

type Saved = Pick<CostChange, 'row' | 'part'> & {
  /** The stored value before the series changed it. */
  readonly before: string | null;
  readonly after: SeenVersions;
};

/** Costs typed one after another: saved in order, undone together. */
export interface CostSeries {
  readonly save: (change: CostChange) => void;
  /** The user stopped typing: the next cost starts a new series. */
  readonly end: () => void;
  /** Listings that the typed costs put below their margin floor. */
  readonly useBelowMarginFloor: () => readonly BelowMarginFloor[];
  /** Clears them once handled. */
  readonly forgetBelowMarginFloor: () => void;
}

/** @param client holds the list; independent of the screen, so that an Undo works from anywhere */
export function createCostSeries(client: QueryClient): CostSeries {
  const moves = createOwnSavedVersions();
  const below = createStore<readonly BelowMarginFloor[]>([]);
  let line: Promise<unknown> = Promise.resolve();
  let current: { told: ReportedAction; saved: Map<string, Saved> } | null = null;

  const put = async ({ row, part }: Saved | CostChange, amount: string | null, seen: SeenVersions) => {
    const versions = moves.latest(row, seen);
    const answer = await saveCosts(row.listingId, costsForm(versions, { [part]: amount }));
    const { version, skuVersion } = answer.costs;
    moves.note(row, versions, { version, skuVersion });
    noteSavedCosts(client, answer);
    below.set(withAnswer(below.get(), answer));
    // Margins and margin floors have changed on other screens too.
    void markOld(client, 'costs');
    return answer;
  };
  /** Sequentially: the next save is sent with the versions that the previous one returned. */
  const inLine = <Value>(action: () => Promise<Value>): Promise<Value> => {
    const result = line.then(action);
    line = result.catch(() => undefined);
    return result;
  };
  const tell = (change: CostChange, before: string | null, answer: SavedCosts): void => {
    const key = `${change.row.listingId} ${change.part}`;
    const { version, skuVersion } = answer.costs;
    const saved: Saved = { ...change, before, after: { version, skuVersion } };
    const grown = current === null ? new Map<string, Saved>() : current.saved;
    const first = grown.get(key)?.before;
    const entry = first === undefined ? saved : { ...saved, before: first };
    const all = [...new Map(grown).set(key, entry).values()];
    if (current?.told.retell(seriesText(all)) === true) {
      grown.set(key, entry);
      return;
    }
    const fresh = new Map([[key, saved]]);
    const told = reportUndoable({
      title: 'Costs saved',
      text: oneText(change, before, answer),
      failed: 'Could not restore the costs',
      undo: () => inLine(() => restoreCosts([...fresh.values()], put)),
    });
    current = { told, saved: fresh };
  };
  return {
    save: (change) => {
      const { row, part, amount, seen, onRefused } = change;
      const before = row.stored[part];
      const shown = row[`${part}Cost`];
      showCost(client, row.listingId, part, { stored: amount, shown: amount ?? shown });
      void inLine(async () => {
        try {
          tell(change, before, await put(change, amount, seen));
        } catch (error) {
          showCost(client, row.listingId, part, { stored: before, shown });
          onRefused(errorText(error));
          await reloadCosts(client);
        }
      });
    },
    end: () => {
      // After the saves in progress: they still belong to this series.
      void inLine(async () => {
        current = null;
      });
    },
    useBelowMarginFloor: below.use,
    forgetBelowMarginFloor: () => below.set([]),
  };
}

/** The last first. Costs changed by other users are skipped, and named. @throws UndoRefused if all were */
async function restoreCosts(
  saved: readonly Saved[],
  put: (change: Saved, amount: string | null, seen: SeenVersions) => Promise<SavedCosts>,
): Promise<{ title: string; text: string }> {
  const left: string[] = [];
  for (const change of saved.toReversed()) {
    try {
      await put(change, change.before, change.after);
    } catch (error) {
      left.push(`${cellName(change.row, change.part)}: ${errorText(error)}`);
    }
  }
  const back = saved.length - left.length;
  const named = left.slice(0, 3).join(' ');
  if (back === 0) throw new UndoRefused(named);
  const text = countOf(back, 'cost is as before.', 'costs are as before.');
  return { title: 'Costs restored', text: left.length === 0 ? text : `${text} Skipped: ${named}` };
}

function oneText({ row, part, amount }: CostChange, before: string | null, { costs }: SavedCosts): string {
  const shown = (value: string | null): string => (value === null ? 'empty' : formatMoney(value));
  const isOfSku = part !== 'shipping' && part !== 'fulfillment';
  const others = isOfSku ? costs.others.length : 0;
  const shared = others === 0 ? '' : ` ${countOf(others, 'other listing follows', 'other listings follow')}.`;
  return `${cellName(row, part)}: ${shown(before)} to ${shown(amount)}.${shared}`;
}

function seriesText(saved: readonly Saved[]): string {
  const listings = new Set(saved.map(({ row }) => row.listingId)).size;
  return `${countOf(saved.length, 'cost', 'costs')} of ${countOf(listings, 'listing', 'listings')}.`;
}

/** Updates the known versions and values from a response. */
function withAnswer(
  known: readonly BelowMarginFloor[],
  { costs, belowMarginFloor }: SavedCosts,
): readonly BelowMarginFloor[] {
  const about = new Set([costs.listingId, ...costs.others.map(({ listingId }) => listingId)]);
  return [...known.filter(({ listingId }) => !about.has(listingId)), ...belowMarginFloor];
}
