import { CircleSlash, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { reportUndoable, UndoRefused } from '#web/lib/recent-actions-store.ts';
import { Badge } from '#web/ui/badge.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { type DraftPart, quantityOf, removePart, restorePart, setQuantity } from './draft.ts';
import type { BundleDraft } from './use-bundle-draft.ts';

/** The components of the draft, with editable quantities. */
export function PartsTable({ draft }: { draft: BundleDraft }): React.JSX.Element {
  const table = useRef<HTMLTableSectionElement>(null);
  const remove = (part: DraftPart, at: number): void => {
    draft.change((parts) => removePart(parts, part.id));
    reportUndoable({
      title: 'Component removed',
      text: `${part.sku} was removed from the draft of ${draft.listingSku ?? 'this bundle'}.`,
      failed: `Could not restore ${part.sku}`,
      // A draft exists only on this screen: leaving it also discards its Undo.
      undo: async () => {
        if (draft.changeLater((parts) => restorePart(parts, part, at))) return null;
        throw new UndoRefused('Its draft is no longer open. Add it again where it is needed.');
      },
    });
    // The pressed button is removed: the focus moves to its neighbor in the table.
    requestAnimationFrame(() => {
      const buttons = table.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? [];
      buttons[Math.min(at, buttons.length - 1)]?.focus();
    });
  };
  return (
    <PlainTable caption="Bundle Components">
      <thead>
        <tr>
          <HeadCell>SKU</HeadCell>
          <HeadCell className="max-md:hidden">Name</HeadCell>
          <HeadCell>Quantity</HeadCell>
          <HeadCell>
            <span className="sr-only">Remove</span>
          </HeadCell>
        </tr>
      </thead>
      <tbody ref={table}>
        {draft.parts.map((part, at) => (
          <tr key={part.id}>
            <Cell className="w-full md:w-auto md:whitespace-nowrap">
              <span className="font-mono max-md:wrap-anywhere">{part.sku}</span>
              <PartMark part={part} isBundle={draft.preview?.bundlesInside.includes(part.sku) ?? false} />
              <span className="block text-sm text-fg-muted md:hidden">{part.name}</span>
            </Cell>
            <Cell className="w-full max-md:hidden">{part.name}</Cell>
            <Cell>
              <QuantityField
                part={part}
                onChange={(quantity) => draft.change((parts) => setQuantity(parts, part.id, quantity))}
              />
            </Cell>
            <Cell className="w-12 text-right">
              <IconButton name={`Remove ${part.sku}`} data-remove onClick={() => remove(part, at)}>
                <X aria-hidden />
              </IconButton>
            </Cell>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}

/** A component that cannot be saved, with the reason. */
function PartMark({ part, isBundle }: { part: DraftPart; isBundle: boolean }): React.JSX.Element | null {
  if (!part.isDeleted && !isBundle) return null;
  return (
    <span className="ml-2">
      <Badge tone="danger" icon={CircleSlash}>
        {part.isDeleted ? 'Deleted' : 'Bundle'}
      </Badge>
    </span>
  );
}

/** Shows the typed text until the field loses the focus, and then the resulting quantity. */
function QuantityField(props: { part: DraftPart; onChange: (quantity: number) => void }): React.JSX.Element {
  const { part, onChange } = props;
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <NumberField
      label={`Quantity of ${part.sku}`}
      hideLabel
      inputMode="numeric"
      className="w-20 text-right md:h-8 md:w-24"
      value={typed ?? String(part.quantity)}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(quantityOf(event.target.value));
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
