import { decimalFromCents } from '#domain/decimal.ts';
import { errorText } from '#web/lib/api.ts';
import { classNames } from '#web/lib/class-names.ts';
import { formatMoney } from '#web/lib/format.ts';
import { Missing } from '#web/ui/money-text.tsx';
import { weightText } from './bundles-text.ts';
import { totalsOf } from './draft.ts';
import { Effects } from './effects.tsx';
import type { BundleDraft } from './use-bundle-draft.ts';

/** The table below adds both to each listing. */
const GOODS = 'without shipping and fulfillment';

/** Cost and weight of the draft, and its effect on the listings, before saving. */
export function DraftFigures({ draft }: { draft: BundleDraft }): React.JSX.Element {
  const { preview, previewError, isPreviewCurrent, parts } = draft;
  const box = preview?.ownSku ?? null;
  const { cost, weight, withoutCost, withoutWeight, deleted, bundles } = totalsOf(
    parts,
    box,
    preview?.bundlesInside,
  );
  return (
    <>
      <dl aria-live="polite" className="flex flex-wrap gap-x-8 gap-y-2">
        <Figure name="Total cost" about={box === null ? GOODS : `in the box of its own SKU, ${GOODS}`}>
          {cost === null ? <Missing /> : formatMoney(decimalFromCents(cost))}
        </Figure>
        <Figure name="Total weight" about={null}>
          {weight === null ? <Missing /> : weightText(weight)}
        </Figure>
      </dl>
      {deleted.length > 0 && (
        <p className="text-sm text-danger-text">
          {deleted.join(', ')}: deleted. Remove it from the bundle, or add it again under SKUs.
        </p>
      )}
      {bundles.length > 0 && (
        <p className="text-sm text-danger-text">
          {bundles.join(', ')}: itself a bundle. Replace it with its components.
        </p>
      )}
      <Unknown of="product cost" skus={withoutCost} />
      <Unknown of="weight" skus={withoutWeight} />
      {previewError !== null && (
        <p className="text-danger-text">The effect on its listings is unknown: {errorText(previewError)}</p>
      )}
      {preview !== undefined && preview.listings.length > 0 && (
        <div className={classNames(!isPreviewCurrent && 'opacity-60')} aria-busy={!isPreviewCurrent}>
          <Effects listings={preview.listings} />
        </div>
      )}
    </>
  );
}

type FigureProps = { name: string; about: string | null; children: React.ReactNode };

function Figure({ name, about, children }: FigureProps): React.JSX.Element {
  return (
    <div>
      <dt className="text-sm text-fg-muted">{name}</dt>
      <dd className="text-xl font-semibold tabular-nums">
        {children}
        {about !== null && <span className="ml-2 text-sm font-normal text-fg-muted">{about}</span>}
      </dd>
    </div>
  );
}

function Unknown({ of, skus }: { of: string; skus: readonly string[] }): React.JSX.Element | null {
  if (skus.length === 0) return null;
  return (
    <p className="text-sm text-danger-text">
      {skus.join(', ')}: the {of} is unknown. Until you enter it, the listings of this bundle are not
      repriced.
    </p>
  );
}
