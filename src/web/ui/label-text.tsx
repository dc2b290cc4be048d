import { NotAvailable } from './not-available.tsx';
import { Tip } from './tooltip.tsx';

/** A brand, a supplier or tags in a cell: one line, with the full text in the tooltip. */
export function LabelText({ text }: { text: string | null }): React.JSX.Element {
  if (text === null) return <NotAvailable />;
  return (
    <Tip text={text}>
      <span className="block truncate print:whitespace-normal">{text}</span>
    </Tip>
  );
}
