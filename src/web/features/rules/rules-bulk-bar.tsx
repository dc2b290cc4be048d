import { Pause, Play, Trash2, X } from 'lucide-react';
import { formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';

type RulesBulkBarProps = {
  count: number;
  onEnable: () => void;
  onDisable: () => void;
  onDelete: () => void;
  onClear: () => void;
};

/** Actions for the selected rules. Stays visible at the bottom while any is selected. */
export function RulesBulkBar(props: RulesBulkBarProps): React.JSX.Element | null {
  const { count, onEnable, onDisable, onDelete, onClear } = props;
  if (count === 0) return null;
  return (
    <section
      aria-label="Selected rules"
      className="sticky bottom-0 z-20 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-border-control bg-raised px-4 py-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] shadow-floating md:bottom-3 print:hidden"
    >
      <span className="font-medium tabular-nums">{formatCount(count)} selected</span>
      <div className="flex flex-wrap items-center gap-2">
        <Button look="outline" onClick={onEnable}>
          <Play aria-hidden />
          Enable
        </Button>
        <Button look="outline" onClick={onDisable}>
          <Pause aria-hidden />
          Disable
        </Button>
        <Button look="outline" className="text-danger-text" onClick={onDelete}>
          <Trash2 aria-hidden />
          Delete
        </Button>
      </div>
      <Button look="quiet" className="ml-auto" onClick={onClear}>
        <X aria-hidden />
        Clear selection
      </Button>
    </section>
  );
}
