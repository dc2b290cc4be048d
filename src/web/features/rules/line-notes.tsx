import { TriangleAlert } from 'lucide-react';
import { RuleFields } from '#contract/rules.ts';
import { targetsOf } from '#domain/lines/compile-lines.ts';
import type { Line } from '#domain/lines/line.ts';
import { type LineWarning, warningsOf } from '#domain/lines/warn-lines.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { Callout } from '#web/ui/callout.tsx';
import { formOf, type RuleDraft } from './rule-draft.ts';
import type { DraftPreview } from './use-draft-preview.ts';

type LineNotesProps = { draft: RuleDraft; preview: DraftPreview };

/** What is probably not meant, and what marketplaces may object to. */
export function LineNotes({ draft, preview }: LineNotesProps): React.JSX.Element | null {
  const read = RuleFields.safeParse({ ...formOf(draft), name: 'Draft' });
  if (!read.success || read.data.lines === null) return null;
  const { lines, marketplace, targetMargin, minimumMargin } = read.data;
  const { shown, isCurrent } = preview;
  const warnings = warningsOf({
    lines,
    targetMargin,
    minimumMargin,
    marketplaceTargets: { ...read.data.marketplaceTargets } as never,
    marketplaceMargins: { ...read.data.marketplaceMargins } as never,
    marketplaces: marketplace === null ? MARKETPLACES : [marketplace],
    known: shown === null || !isCurrent ? null : { listings: shown.listings, ...shown.known },
  });
  const notes = marketplaceNotes(lines);
  return (
    <>
      {warnings.length > 0 && <Warnings warnings={warnings} />}
      {canLowerAWinningPrice(lines) && (
        <Callout tone="info" title="Your own price can be below the current one" className="p-3">
          <p className="mt-1 text-sm text-fg-muted">
            A line then lowers a winning price to it, such as after a price war. With "not under current
            price" behind it, the line only goes up.
          </p>
        </Callout>
      )}
      {notes.length > 0 && (
        <Callout tone="info" title="Rules of the marketplaces" className="p-3">
          {notes.map((note) => (
            <p key={note} className="mt-1 text-sm text-fg-muted">
              {note}
            </p>
          ))}
        </Callout>
      )}
    </>
  );
}

function Warnings({ warnings }: { warnings: readonly LineWarning[] }): React.JSX.Element {
  return (
    <ul className="flex flex-col gap-1.5 text-sm" aria-label="Warnings">
      {warnings.map(({ code, line, text }) => (
        <li key={`${code} ${line}`} className="flex items-start gap-1.5 text-warning-text">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>
            {line !== null && code !== 'unreachable' && <span className="font-medium">Line {line}: </span>}
            {text}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** In plain words. */
function marketplaceNotes(lines: readonly Line[]): string[] {
  const targets = lines.flatMap(({ action }) => targetsOf(action));
  const raises = lines.some(({ action }) => action.kind === 'raise');
  const notes: string[] = [];
  if (raises || targets.some(({ kind }) => kind === 'own'))
    notes.push(
      'Lines that go back up go to your own price. Keep it at a price you would really sell at: marketplaces hide or remove offers that are far above the usual price, and laws limit prices in emergencies. A maximum price per listing bounds it.',
    );
  if (targets.some(({ kind }) => kind === 'channel'))
    notes.push(
      'Some marketplaces compare your price with your price elsewhere and may demote an offer that is lower on another channel. Check their terms before you price below it.',
    );
  return notes;
}

/** Lines behind one that always decides while winning cannot lower a winning price. */
function canLowerAWinningPrice(lines: readonly Line[]): boolean {
  const winning = lines.findIndex(decidesWhileWinning);
  return lines.slice(0, winning === -1 ? lines.length : winning).some(canLowerToOwnPrice);
}

function decidesWhileWinning({ when: [only, another], action, turn }: Line): boolean {
  if (only?.kind !== 'situation' || another !== undefined || turn !== null) return false;
  return only.any.includes('winning') && only.atLeast === null && action.kind !== 'ask';
}

function canLowerToOwnPrice({ when, action }: Line): boolean {
  if (when.some((each) => each.kind === 'situation' && !each.any.includes('winning'))) return false;
  return action.kind === 'ask' && action.target.kind === 'own' && action.notUnder?.kind !== 'current';
}
