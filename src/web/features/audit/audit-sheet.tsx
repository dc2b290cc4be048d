import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, Copy } from 'lucide-react';
import type { AuditRow } from '#contract/audit.ts';
import { KEYS } from '#web/lib/keys.ts';
import { formatMoment } from '#web/lib/moments.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { SideSheet } from '#web/ui/side-sheet.tsx';
import { GROUP_LABELS, targetScreen, targetText } from './audit-text.ts';
import { closeSheet, step, useSheetKeys } from './sheet-keys.ts';
import type { AuditSheetState } from './use-audit-sheet.ts';
import { ValueTable } from './value-table.tsx';

type AuditSheetProps = {
  sheet: AuditSheetState;
  rows: readonly AuditRow[];
  /** Filters the list by the object of this row. */
  onTarget: (target: NonNullable<AuditRow['target']>) => void;
};

/** One row of the log in full, next to the list. */
export function AuditSheet({ sheet, rows, onTarget }: AuditSheetProps): React.JSX.Element | null {
  const row = rows.find(({ id }) => id === sheet.id);
  useSheetKeys(sheet, rows, row !== undefined);
  if (row === undefined) return null;
  return (
    <SideSheet
      title={row.sentence}
      subtitle={<p className="mt-1 text-sm text-fg-muted">{formatMoment(row.at, 'exact')}</p>}
      focusRequest={sheet.focusRequest}
      onClose={() => closeSheet(sheet)}
      actions={[
        {
          name: 'Newer row',
          shortcut: KEYS.previousRow,
          icon: ChevronUp,
          onPress: () => step(sheet, rows, -1),
        },
        { name: 'Older row', shortcut: KEYS.nextRow, icon: ChevronDown, onPress: () => step(sheet, rows, 1) },
      ]}
    >
      <div className="flex flex-col gap-5">
        <Facts row={row} onTarget={onTarget} />
        <section aria-label="Before and after" className="flex flex-col gap-2">
          <h3 className="font-semibold">Before and after</h3>
          <ValueTable {...row} />
        </section>
      </div>
    </SideSheet>
  );
}

function Facts({ row, onTarget }: Pick<AuditSheetProps, 'onTarget'> & { row: AuditRow }): React.JSX.Element {
  const { group, actor, token, action, target, address, requestId } = row;
  return (
    <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-1.5">
      <Fact name="Who">{actor ?? 'Not logged in'}</Fact>
      {token !== null && <Fact name="API token">{token}</Fact>}
      <Fact name="Kind">
        {group === null ? 'From another release' : GROUP_LABELS[group]}{' '}
        <span className="font-mono text-sm text-fg-muted">{action}</span>
      </Fact>
      {target !== null && (
        <Fact name="What">
          <TargetName target={target} />
          {target.id !== null && (
            <Button look="quiet" className="text-link" onClick={() => onTarget(target)}>
              Only this
            </Button>
          )}
        </Fact>
      )}
      <Fact name="Address">{address ?? 'none (not from a browser)'}</Fact>
      {requestId !== null && (
        <Fact name="Request">
          <span className="font-mono text-sm wrap-anywhere">{requestId}</span>
          <Button
            look="quiet"
            size="icon"
            aria-label="Copy the request ID"
            onClick={() => void copy(requestId)}
          >
            <Copy aria-hidden />
          </Button>
        </Fact>
      )}
    </dl>
  );
}

function TargetName({ target }: { target: NonNullable<AuditRow['target']> }): React.JSX.Element {
  const screen = targetScreen(target);
  const text = targetText(target);
  if (screen === null) return <span className="wrap-anywhere">{text}</span>;
  return (
    <Link {...screen} className="text-link underline wrap-anywhere">
      {text}
    </Link>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }): React.JSX.Element {
  return (
    <>
      <dt className="text-sm text-fg-muted">{name}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-2">{children}</dd>
    </>
  );
}

async function copy(requestId: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(requestId);
    toast('Request ID copied', 'The server log has the same ID.');
  } catch {
    // Browsers offer the clipboard only on https and loopback.
    toast('Select it and press Ctrl+C', 'This browser blocked copying.');
  }
}
