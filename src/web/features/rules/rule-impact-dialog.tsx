import { useQuery } from '@tanstack/react-query';
import { errorText } from '#web/lib/api.ts';
import { countOf } from '#web/lib/format.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { impactQuery } from './queries.ts';
import { impactText } from './rule-text.ts';

/** A change about to be made to rules that price listings. */
export interface RuleChange {
  readonly act: 'delete' | 'disable';
  readonly rules: readonly { readonly id: string; readonly name: string }[];
}

type LossesDialogProps = {
  parting: RuleChange;
  pending: boolean;
  onCancel: () => void;
  onConfirm: () => void;
};

const VERBS = { delete: 'Delete', disable: 'Disable' } as const;
const MAX_NAMES = 3;

/** Asks before rules stop pricing: how many listings they price, the new rules of those, and what happens to prices. */
export function RuleImpactDialog({
  parting,
  pending,
  onCancel,
  onConfirm,
}: LossesDialogProps): React.JSX.Element {
  const { act, rules } = parting;
  const impact = useQuery(impactQuery(rules.map(({ id }) => id)));
  const [only] = rules;
  const isOne = rules.length === 1 && only !== undefined;
  const what = isOne ? 'rule' : countOf(rules.length, 'rule', 'rules');
  return (
    <AlertDialog
      open
      onCancel={onCancel}
      onConfirm={onConfirm}
      pending={pending}
      pendingText={act === 'delete' ? 'Deleting...' : 'Disabling...'}
      title={isOne ? `${VERBS[act]} rule "${only.name}"?` : `${VERBS[act]} ${what}?`}
      action={`${VERBS[act]} ${what}`}
      isDanger={act === 'delete'}
    >
      {!isOne && <p className="mb-2">{namesOf(rules)}</p>}
      {impact.isError && <p className="text-danger-text">{errorText(impact.error)}</p>}
      {impact.isPending && <p>Counting listings...</p>}
      {impact.data !== undefined && (
        <>
          <p className="font-medium text-fg">{headlineOf(impact.data.listings, isOne)}</p>
          <ul className="mt-1 flex list-disc flex-col gap-1 pl-4">
            {impactText(impact.data, isOne).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
      <p className="mt-2">
        {act === 'delete'
          ? 'You can undo this for one hour.'
          : `You can enable ${isOne ? 'it' : 'them'} again at any time.`}
      </p>
    </AlertDialog>
  );
}

function headlineOf(listings: number, isOne: boolean): string {
  const what = isOne ? 'this rule' : 'these rules';
  if (listings === 0) return `No listing uses ${what} now.`;
  return `${countOf(listings, 'listing uses', 'listings use')} ${what} now.`;
}

function namesOf(rules: RuleChange['rules']): string {
  const names = rules.slice(0, MAX_NAMES).map(({ name }) => `"${name}"`);
  const rest = rules.length - names.length;
  return rest === 0 ? names.join(', ') : `${names.join(', ')} and ${rest} more`;
}
