import { CircleAlert, Copy, GripVertical, MoveDown, MoveUp, Plus, Rows3, Trash2, Type } from 'lucide-react';
import { MAX_CONDITIONS } from '#domain/lines/line.ts';
import { parseLines } from '#domain/lines/parse-lines.ts';
import { formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { ActionFields } from './action-fields.tsx';
import { ConditionFields, newCondition } from './condition-fields.tsx';
import { InlineInput, Words } from './inline-fields.tsx';
import { formOfLine, type LineForm } from './line-form.ts';
import { type LineRow, rowOf, rowProblem } from './line-row-model.ts';
import type { LineRows } from './use-line-rows.ts';

/** For how many listings a line decides, by the preview. */
export interface LineCount {
  readonly listings: number;
  readonly held: number;
}

type LineRowViewProps = { rows: LineRows; row: LineRow; index: number; count: LineCount | null };

/** One line as a sentence of dropdowns and fields, or as text. Alt+Up and Alt+Down move it. */
export function LineRowView({ rows, row, index, count }: LineRowViewProps): React.JSX.Element {
  const problem = rowProblem(row, index);
  const number = index + 1;
  const change = (form: LineForm): void => rows.change(index, rowOf(form, row.key));
  return (
    <li
      data-row={row.key}
      aria-label={`Line ${number}: ${row.text}`}
      className="flex min-w-0 flex-col gap-2 py-3 first:pt-0"
      onKeyDown={(event) => {
        if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
        event.preventDefault();
        rows.move(index, index + (event.key === 'ArrowUp' ? -1 : 1));
      }}
    >
      <div className="flex flex-wrap items-center gap-1">
        <span
          aria-hidden
          title="Drag to move"
          className="-ml-1 cursor-grab touch-none p-1 text-fg-muted"
          onPointerDown={(event) => followPointer(event, rows, row.key)}
        >
          <GripVertical className="size-4" />
        </span>
        <span className="font-medium">Line {number}</span>
        {count !== null && (
          <span className="text-sm text-fg-muted tabular-nums max-sm:order-last max-sm:basis-full">
            {formatCount(count.listings)} {count.listings === 1 ? 'listing' : 'listings'}
            {count.held > 0 && `, ${formatCount(count.held)} held`}
          </span>
        )}
        <span className="-mr-2 ml-auto flex">
          <IconButton
            name={`Move line ${number} up`}
            disabled={index === 0}
            onClick={() => rows.move(index, index - 1)}
          >
            <MoveUp aria-hidden />
          </IconButton>
          <IconButton
            name={`Move line ${number} down`}
            disabled={index === rows.rows.length - 1}
            onClick={() => rows.move(index, index + 1)}
          >
            <MoveDown aria-hidden />
          </IconButton>
          <FormSwitch rows={rows} row={row} index={index} />
          <IconButton
            name={`Duplicate line ${number}`}
            disabled={!rows.canAdd}
            onClick={() => rows.duplicate(index)}
          >
            <Copy aria-hidden />
          </IconButton>
          <IconButton name={`Remove line ${number}`} onClick={() => rows.remove(index)}>
            <Trash2 aria-hidden />
          </IconButton>
        </span>
      </div>
      {row.form === null ? (
        <div className="*:w-full">
          <InlineInput
            label={`Line ${number} as text`}
            value={row.text}
            isWide
            isInvalid={problem !== null}
            onChange={(text) => rows.change(index, { ...row, text })}
          />
        </div>
      ) : (
        <Sentence form={row.form} onChange={change} />
      )}
      {problem !== null && (
        <p role="status" className="flex items-start gap-1.5 text-sm text-danger-text">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {problem}
        </p>
      )}
    </li>
  );
}

type SentenceProps = { form: LineForm; onChange: (form: LineForm) => void };

function Sentence({ form, onChange }: SentenceProps): React.JSX.Element {
  const { when } = form;
  return (
    <div className="flex min-w-0 flex-col items-start gap-1.5">
      <div className="flex max-w-full min-w-0 flex-wrap items-center gap-1.5">
        {/* Conditions have no identity besides their place. */}
        {Array.from(when.entries(), ([index, condition]) => (
          <ConditionFields
            key={index}
            condition={condition}
            lead={index === 0 ? 'If' : 'and'}
            onChange={(next) => onChange({ ...form, when: when.with(index, next) })}
            onRemove={() => onChange({ ...form, when: when.toSpliced(index, 1) })}
          />
        ))}
        {when.length === 0 && <Words>Always</Words>}
        <Button
          look="quiet"
          disabled={when.length >= MAX_CONDITIONS}
          onClick={() => onChange({ ...form, when: [...when, newCondition('situation')] })}
        >
          <Plus aria-hidden />
          Add a condition
        </Button>
      </div>
      <ActionFields form={form} onChange={onChange} />
    </div>
  );
}

/** Between fields and text. A text that is not understood stays one. */
function FormSwitch({ rows, row, index }: Omit<LineRowViewProps, 'count'>): React.JSX.Element {
  if (row.form !== null) {
    return (
      <IconButton
        name={`Edit line ${index + 1} as text`}
        onClick={() => rows.change(index, { ...row, form: null })}
      >
        <Type aria-hidden />
      </IconButton>
    );
  }
  const { lines } = parseLines(row.text);
  const [line] = lines ?? [];
  return (
    <IconButton
      name={`Edit line ${index + 1} with fields`}
      disabled={line === undefined || (lines?.length ?? 0) > 1}
      onClick={() => line !== undefined && rows.change(index, rowOf(formOfLine(line), row.key))}
    >
      <Rows3 aria-hidden />
    </IconButton>
  );
}

/** Moves a line with the pointer: it takes the place of the one whose middle was passed. */
function followPointer(event: React.PointerEvent, rows: LineRows, key: number): void {
  event.preventDefault();
  const list = rows.list.current;
  if (list === null) return;
  const onMove = ({ clientY }: PointerEvent): void => {
    const items = [...list.children];
    const from = items.findIndex((item) => item.getAttribute('data-row') === String(key));
    const to = items.filter((item, index) => {
      const { top, height } = item.getBoundingClientRect();
      return index !== from && top + height / 2 < clientY;
    }).length;
    if (from >= 0 && to !== from) list.dispatchEvent(new CustomEvent('move-line', { detail: { from, to } }));
  };
  const end = (): void => {
    window.removeEventListener('pointermove', onMove);
    window.removeEventListener('pointerup', end);
    window.removeEventListener('pointercancel', end);
  };
  window.addEventListener('pointermove', onMove);
  window.addEventListener('pointerup', end);
  window.addEventListener('pointercancel', end);
}
