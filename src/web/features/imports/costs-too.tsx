import { useNavigate } from '@tanstack/react-router';
import type { Import } from '#contract/imports.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { useImportAgain } from '#web/ui/imports/import-calls.ts';
import { Failure } from '#web/ui/imports/upload-progress.tsx';

/** Offers what a file of listings says about SKUs: their costs and weights, checked like any file before they are saved. */
export function CostsToo({ imported: { id, fileName } }: { imported: Import }): React.JSX.Element {
  const navigate = useNavigate();
  const again = useImportAgain();
  const check = (): void =>
    again.mutate(
      { from: id, kind: 'skus', name: fileName },
      {
        onSuccess: (file) =>
          navigate({ to: '/imports/$id', params: { id: file.id }, search: { step: 'check' } }),
      },
    );
  return (
    <Card className="flex flex-col gap-3">
      <div>
        <h2 className="text-md font-semibold">This file also contains costs or weights</h2>
        <p className="max-w-[70ch] text-fg-muted">
          Add them as SKUs, so that these listings can be repriced. You review every value before anything is
          saved, and costs you already entered are kept.
        </p>
      </div>
      {again.isError && <Failure title="Could not reuse the file" error={again.error} />}
      <Button className="w-fit" onClick={check} pending={again.isPending} pendingText="Starting...">
        Check costs and weights
      </Button>
    </Card>
  );
}
