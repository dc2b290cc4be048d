import { X } from 'lucide-react';
import type { IfTooLow } from '#domain/lines/line.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { InlineInput, InlineSelect, Words } from './inline-fields.tsx';
import { type AmountForm, type LineForm, OWN_TARGET } from './line-form.ts';
import { TargetFields } from './target-fields.tsx';

const ACTS = [
  { value: 'ask', label: 'set the price to' },
  { value: 'hold', label: 'hold the price' },
  { value: 'raise', label: 'raise by' },
  { value: 'lower', label: 'lower by' },
];
const TOO_LOW = [
  { value: 'stop', label: 'use the lowest allowed price' },
  { value: 'next_line', label: 'go to the next line' },
  { value: 'next_competitor', label: 'use the next competitor' },
  { value: 'keep', label: 'keep the price' },
];

type ActionFieldsProps = { form: LineForm; onChange: (form: LineForm) => void };

/** What a line does, as the second half of the sentence. */
export function ActionFields({ form, onChange }: ActionFieldsProps): React.JSX.Element {
  const put = (change: Partial<LineForm>): void => onChange({ ...form, ...change });
  const { act, target, ifTooLow } = form;
  return (
    <div className="flex max-w-full min-w-0 flex-wrap items-center gap-1.5">
      <InlineSelect
        label="Action"
        value={act}
        options={ACTS}
        onChange={(next) => put({ act: next as LineForm['act'] })}
      />
      {act === 'ask' && (
        <>
          <TargetFields target={target} onChange={(next) => put({ target: next })} />
          {/* On one line where it has room, so that no line ends with half of it. */}
          <span className="flex max-w-full min-w-0 flex-wrap items-center gap-1.5">
            <Words>if that is too low,</Words>
            <InlineSelect
              label="If that is too low"
              value={ifTooLow}
              options={TOO_LOW}
              onChange={(next) => put({ ifTooLow: next as IfTooLow })}
            />
          </span>
        </>
      )}
      {(act === 'raise' || act === 'lower') && <MoveFields form={form} put={put} />}
      <Extras form={form} put={put} />
    </div>
  );
}

type PartProps = { form: LineForm; put: (change: Partial<LineForm>) => void };

function MoveFields({ form: { act, step, every, to }, put }: PartProps): React.JSX.Element {
  return (
    <>
      <InlineInput
        label="Step"
        value={step.amount}
        onChange={(amount) => put({ step: { ...step, amount } })}
      />
      <InlineSelect
        label="Unit"
        value={step.unit}
        options={[
          { value: '%', label: '%' },
          { value: '$', label: '$' },
        ]}
        onChange={(unit) => put({ step: { ...step, unit: unit as AmountForm['unit'] } })}
      />
      <Words>every</Words>
      <InlineInput label="Hours" value={every} onChange={(next) => put({ every: next })} />
      <Words>h</Words>
      {to !== null && (
        <Extra lead={act === 'raise' ? 'up to' : 'down to'} onRemove={() => put({ to: null })}>
          <TargetFields target={to} onChange={(next) => put({ to: next })} />
        </Extra>
      )}
    </>
  );
}

function Extras({ form, put }: PartProps): React.JSX.Element {
  const { act, notUnder, notOver, to, turn, asksFirst } = form;
  const isAsk = act === 'ask';
  const isMove = act === 'raise' || act === 'lower';
  const more = [
    ...(isAsk && notUnder === null ? [{ value: 'notUnder', label: 'not under a price' }] : []),
    ...(isAsk && notOver === null ? [{ value: 'notOver', label: 'not over a price' }] : []),
    ...(isMove && to === null
      ? [{ value: 'to', label: act === 'raise' ? 'up to a price' : 'down to a price' }]
      : []),
    ...(turn === null ? [{ value: 'turn', label: 'for some hours, then pause' }] : []),
    ...(asksFirst ? [] : [{ value: 'asksFirst', label: 'require review' }]),
  ];
  const add: Readonly<Record<string, Partial<LineForm>>> = {
    notUnder: { notUnder: OWN_TARGET },
    notOver: { notOver: OWN_TARGET },
    to: { to: OWN_TARGET },
    turn: { turn: { lasts: '24', rests: '48' } },
    asksFirst: { asksFirst: true },
  };
  return (
    <>
      {isAsk && notUnder !== null && (
        <Extra lead="not under" onRemove={() => put({ notUnder: null })}>
          <TargetFields target={notUnder} onChange={(next) => put({ notUnder: next })} />
        </Extra>
      )}
      {isAsk && notOver !== null && (
        <Extra lead="not over" onRemove={() => put({ notOver: null })}>
          <TargetFields target={notOver} onChange={(next) => put({ notOver: next })} />
        </Extra>
      )}
      {turn !== null && (
        <Extra lead="for" onRemove={() => put({ turn: null })}>
          <InlineInput
            label="Hours in which it applies"
            value={turn.lasts}
            onChange={(lasts) => put({ turn: { ...turn, lasts } })}
          />
          <Words>h, then pause for</Words>
          <InlineInput
            label="Hours in which it pauses"
            value={turn.rests}
            onChange={(rests) => put({ turn: { ...turn, rests } })}
          />
          <Words>h</Words>
        </Extra>
      )}
      {asksFirst && (
        <Extra lead="needs review: prices are only recommended" onRemove={() => put({ asksFirst: false })} />
      )}
      {more.length > 0 && (
        <InlineSelect
          label="Add to this line"
          value=""
          options={[{ value: '', label: 'Add...' }, ...more]}
          onChange={(name) => put(add[name] ?? {})}
        />
      )}
    </>
  );
}

type ExtraProps = { lead: string; onRemove: () => void; children?: React.ReactNode };

function Extra({ lead, onRemove, children }: ExtraProps): React.JSX.Element {
  return (
    <span className="flex max-w-full min-w-0 flex-wrap items-center gap-1.5 rounded-md bg-hover px-1.5">
      <Words>{lead}</Words>
      {children}
      <IconButton name={`Remove "${lead}"`} onClick={onRemove}>
        <X aria-hidden />
      </IconButton>
    </span>
  );
}
