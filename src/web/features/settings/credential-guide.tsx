import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { CREDENTIAL_GUIDES, type CredentialGuide } from './credential-guides.ts';

/** How to get the credentials of a marketplace, above their fields: folded, since it is read once. */
export function CredentialGuideBlock({ marketplace }: { marketplace: Marketplace }): React.JSX.Element {
  const { startsAt, cost, takes, steps, rights, ends } = CREDENTIAL_GUIDES[marketplace];
  return (
    <details>
      <summary className="min-h-11 cursor-pointer rounded-sm py-2 font-medium dense:min-h-8">
        How to get the credentials of {MARKETPLACE_NAMES[marketplace]}
      </summary>
      <div className="mt-2 flex max-w-[80ch] flex-col gap-3">
        <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[max-content_1fr]">
          {startsAt !== null && (
            <Term name="Where">
              <a href={startsAt.href} target="_blank" rel="noreferrer" className="text-link underline">
                {startsAt.label}
              </a>
            </Term>
          )}
          <Term name="Cost">{cost}</Term>
          <Term name="Takes">{takes}</Term>
          {ends !== null && <Term name="Expires">{ends}</Term>}
        </dl>
        <ol className="flex list-decimal flex-col gap-1 pl-6">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        {rights.length > 0 && <Rights rights={rights} />}
        <p className="text-fg-muted">
          Save, then choose Test connection: it names what is missing. Names on pages of{' '}
          {MARKETPLACE_NAMES[marketplace]} may change.
        </p>
      </div>
    </details>
  );
}

function Term({ name, children }: { name: string; children: React.ReactNode }): React.JSX.Element {
  return (
    <>
      <dt className="font-medium">{name}</dt>
      <dd className="text-fg-muted">{children}</dd>
    </>
  );
}

function Rights({ rights }: Pick<CredentialGuide, 'rights'>): React.JSX.Element {
  return (
    <div>
      <h4 className="font-medium">Rights to give, and what for</h4>
      <ul className="list-disc pl-6 text-fg-muted">
        {rights.map(({ name, use }) => (
          <li key={name}>
            <span className="text-fg">{name}</span>: {use}
          </li>
        ))}
      </ul>
    </div>
  );
}
