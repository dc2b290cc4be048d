import { X } from 'lucide-react';
import { IconButton } from '#web/ui/icon-button.tsx';
import { InlineInput, InlineSelect, Words } from './inline-fields.tsx';
import { type ConditionForm, conditionFormText } from './line-form.ts';
import { PHRASES, phraseOf } from './phrases.ts';

const GROUPS = [...new Set(PHRASES.map(({ group }) => group))].map(
  (group) =>
    [
      group,
      PHRASES.filter((phrase) => phrase.group === group).map(({ id, label }) => ({ value: id, label })),
    ] as const,
);

/** A condition of this kind with its first values. */
export function newCondition(phrase: string): ConditionForm {
  return { phrase, values: phraseOf(phrase).holes.map(({ start }) => start) };
}

type ConditionFieldsProps = {
  condition: ConditionForm;
  /** "If" or "and". */
  lead: string;
  onChange: (condition: ConditionForm) => void;
  onRemove: () => void;
};

/** One condition as a part of the sentence. */
export function ConditionFields(props: ConditionFieldsProps): React.JSX.Element {
  const { condition, lead, onChange, onRemove } = props;
  const { holes, end } = phraseOf(condition.phrase);
  const put = (index: number, value: string): void =>
    onChange({ ...condition, values: condition.values.with(index, value) });
  return (
    <fieldset
      aria-label={conditionFormText(condition)}
      className="flex max-w-full min-w-0 flex-wrap items-center gap-1.5"
    >
      <Words>{lead}</Words>
      <InlineSelect
        label="Condition"
        value={condition.phrase}
        options={[]}
        groups={GROUPS}
        onChange={(phrase) => onChange(newCondition(phrase))}
      />
      {holes.map(({ label, unit, choices, isName }, index) => (
        <span key={label} className="flex items-center gap-1.5">
          {choices === undefined ? (
            <InlineInput
              label={label}
              value={condition.values[index] ?? ''}
              isWide={isName === true || label === 'From' || label === 'To'}
              onChange={(value) => put(index, value)}
            />
          ) : (
            <InlineSelect
              label={label}
              value={condition.values[index] ?? ''}
              options={choices}
              onChange={(value) => put(index, value)}
            />
          )}
          {unit !== undefined && <Words>{unit}</Words>}
        </span>
      ))}
      {end !== undefined && <Words>{end}</Words>}
      <IconButton name="Remove this condition" onClick={onRemove}>
        <X aria-hidden />
      </IconButton>
    </fieldset>
  );
}
