import { ApiError, errorText } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import type { RuleDifference } from './rule-differences.ts';

type SaveFailedProps = {
  error: Error;
  /** Fields changed by another save; null while the saved rule is loading. */
  differences: readonly RuleDifference[] | null;
  onLoadStored: () => void;
  onKeepMine: () => void;
};

/** Whether a save was rejected because its preview no longer shows what the rule would do. */
export function isOfOldPreview(error: Error): boolean {
  return error instanceof ApiError && error.fields.previewToken !== undefined;
}

/** Why a rule was not saved. The typed text stays in the form. */
export function SaveFailed(props: SaveFailedProps): React.JSX.Element {
  const { error, differences, onLoadStored, onKeepMine } = props;
  const overwritten = error instanceof ApiError ? error.fields.version : undefined;
  const hasMoved = isOfOldPreview(error);
  if (overwritten === undefined) {
    return (
      <Callout
        tone="danger"
        role="alert"
        title={hasMoved ? 'The preview is out of date' : 'Could not save the rule'}
      >
        <p className="text-fg-muted">{hasMoved ? HAS_MOVED : errorText(error)}</p>
      </Callout>
    );
  }
  return (
    <Callout tone="danger" role="alert" title={overwritten.replace(/\.$/, '')}>
      <p className="text-fg-muted">Nothing you typed is lost. Choose which version to keep.</p>
      {differences !== null && differences.length > 0 && <Differences differences={differences} />}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button look="outline" onClick={onKeepMine} disabled={differences === null}>
          Keep mine
        </Button>
        <Button look="outline" onClick={onLoadStored} disabled={differences === null}>
          Load the saved rule
        </Button>
      </div>
    </Callout>
  );
}

function Differences({ differences }: { differences: readonly RuleDifference[] }): React.JSX.Element {
  return (
    <table className="mt-2 w-full text-left text-sm">
      <thead className="text-fg-muted">
        <tr>
          <th scope="col" className="py-1 pr-3 font-medium">
            Field
          </th>
          <th scope="col" className="py-1 pr-3 font-medium">
            Mine
          </th>
          <th scope="col" className="py-1 font-medium">
            Saved
          </th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ label, mine, saved }) => (
          <tr key={label} className="border-t align-top">
            <th scope="row" className="py-1 pr-3 font-medium">
              {label}
            </th>
            <td className="py-1 pr-3 break-words">{mine}</td>
            <td className="py-1 break-words">{saved}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const HAS_MOVED =
  'Prices, costs or offers changed after your preview, so nothing was saved. Check the new preview, then save.';
