import { useState } from 'react';
import { LABEL_FIELDS, type LabelField } from '#contract/labels.ts';
import { LABEL_NAMES, labelFilter, labelsIn, labelText } from '#web/lib/label-text.ts';
import { LabelPicker } from './label-picker.tsx';

type LabelFiltersProps = {
  /** The rows whose labels are counted. */
  list: 'listings' | 'skus';
  filters: Readonly<Partial<Record<LabelField, string>>>;
  /** "" for no filter. */
  set: (field: LabelField, filter: string) => void;
};

/** Filters by brand, supplier and tag: each opens the existing labels with their number of rows. */
export function LabelFilters({ list, filters, set }: LabelFiltersProps): React.JSX.Element {
  const [open, setOpen] = useState<LabelField | null>(null);
  return (
    <>
      {LABEL_FIELDS.map((field) => (
        <LabelPicker
          key={field}
          list={list}
          field={field}
          name={LABEL_NAMES[field].name}
          none={LABEL_NAMES[field].none}
          text={textOf(field, filters[field])}
          chosen={labelsIn(filters[field])}
          isOpen={open === field}
          onOpen={(isOpen) => setOpen(isOpen ? field : null)}
          onChange={(chosen) => set(field, labelFilter(chosen))}
        />
      ))}
    </>
  );
}

function textOf(field: LabelField, filter: string | undefined): string {
  return filter === undefined ? `Any ${LABEL_NAMES[field].name.toLowerCase()}` : labelText(field, filter);
}
