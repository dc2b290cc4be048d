import { Plus, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { sellerKey } from '#domain/competition/offer.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { announce } from '#web/lib/announce.ts';
import { countOf } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import type { StoredSettings } from './queries.ts';
import { SettingsSection } from './settings-section.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';

type Sellers = StoredSettings['sellers'][number];

type SellersSectionProps = { sellers: StoredSettings['sellers']; draft: SettingsDraft };

/** Our seller names on each marketplace, so that no rule undercuts our own offers. */
export function SellersSection({ sellers, draft }: SellersSectionProps): React.JSX.Element {
  return (
    <SettingsSection
      id="own-sellers"
      subtitle="Your seller names on each marketplace, so your own offers are not treated as competitors. Until you add a name, competitor-based rules only recommend prices there."
    >
      <ul className="divide-y divide-border">
        {sellers.map((each) => (
          <SellerRow
            key={each.marketplace}
            sellers={each}
            names={draft.namesOn(each.marketplace)}
            onNames={(names) => draft.setNames(each.marketplace, names)}
          />
        ))}
      </ul>
    </SettingsSection>
  );
}

type SellerRowProps = {
  sellers: Sellers;
  names: readonly string[];
  onNames: (names: readonly string[]) => void;
};

function SellerRow({ sellers, names, onNames }: SellerRowProps): React.JSX.Element {
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const { marketplace, listings, suggestions } = sellers;
  const keys = new Set(names.map(sellerKey));
  const others = suggestions.filter(({ name }) => !keys.has(sellerKey(name)));
  // The pressed button is removed: the focus moves to its marketplace instead of the top of the page.
  const change = (next: readonly string[], said: string): void => {
    onNames(next);
    heading.current?.focus();
    announce(said);
  };
  return (
    <li className="grid gap-x-6 gap-y-3 p-4 md:grid-cols-[10rem_1fr]">
      <div>
        <h3
          ref={heading}
          id={headingId}
          tabIndex={-1}
          className="flex items-center gap-2 font-medium outline-none"
        >
          <MarketplaceMark marketplace={marketplace} />
          {MARKETPLACE_NAMES[marketplace]}
        </h3>
        <p className="text-sm text-fg-muted">{countOf(listings, 'listing', 'listings')}</p>
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        {names.length === 0 ? (
          <p className="text-fg-muted">
            {listings === 0
              ? 'No name yet.'
              : 'No name yet. Match, Beat and Dynamic rules only recommend prices here.'}
          </p>
        ) : (
          <ul aria-labelledby={headingId} className="flex flex-wrap gap-2">
            {names.map((name) => (
              <SellerName
                key={name}
                name={name}
                onRemove={() =>
                  change(
                    names.filter((each) => each !== name),
                    `${name} removed`,
                  )
                }
              />
            ))}
          </ul>
        )}
        <AddName
          marketplace={MARKETPLACE_NAMES[marketplace]}
          names={names}
          onAdd={(name) => onNames([...names, name])}
        />
        {others.length > 0 && (
          <div className="flex flex-wrap items-center gap-2">
            <span className="text-sm text-fg-muted">Found in your offers. Is one of these you?</span>
            {others.map(({ name, listings: seen }) => (
              <Button
                key={name}
                look="outline"
                className="max-w-full"
                onClick={() => change([...names, name], `${name} added`)}
              >
                <Plus aria-hidden />
                <span className="truncate">{name}</span>
                <span className="text-sm text-fg-muted">{countOf(seen, 'listing', 'listings')}</span>
              </Button>
            ))}
          </div>
        )}
      </div>
    </li>
  );
}

function SellerName({ name, onRemove }: { name: string; onRemove: () => void }): React.JSX.Element {
  return (
    <li className="flex max-w-full items-center rounded-md bg-fill pl-3">
      <span className="truncate font-medium">{name}</span>
      <Button look="quiet" size="icon" aria-label={`Remove ${name}`} onClick={onRemove}>
        <X aria-hidden />
      </Button>
    </li>
  );
}

type AddNameProps = { marketplace: string; names: readonly string[]; onAdd: (name: string) => void };

function AddName({ marketplace, names, onAdd }: AddNameProps): React.JSX.Element {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const add = (): void => {
    const key = sellerKey(text);
    if (key === null) {
      setProblem('Enter the name as the marketplace shows it');
    } else if (names.some((name) => sellerKey(name) === key)) {
      setProblem(`${text.trim()} is already in the list`);
    } else {
      onAdd(text.trim());
      setText('');
      setProblem(undefined);
    }
  };
  return (
    <form
      noValidate
      className="flex max-w-md items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <TextField
        label={`Your seller name on ${marketplace}`}
        hideLabel
        placeholder="Seller name as the marketplace shows it"
        fieldClassName="min-w-0 flex-1"
        maxLength={500}
        autoComplete="off"
        error={problem}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setProblem(undefined);
        }}
      />
      <Button type="submit" look="outline" size="field">
        Add
      </Button>
    </form>
  );
}
