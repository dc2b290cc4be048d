import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Circle, CircleCheck, X } from 'lucide-react';
import { useId, useState } from 'react';
import type { Setup } from '#contract/setup.ts';
import { classNames } from '#web/lib/class-names.ts';
import { sessionQuery } from '#web/lib/session.ts';
import { Button, buttonClasses } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useDismissSetup } from './queries.ts';

type StepName = Setup['steps'][number]['step'];

interface StepText {
  readonly title: string;
  readonly why: string;
  readonly action: string;
  readonly link: LinkProps;
  /** An alternative, for admins. */
  readonly other?: { readonly action: string; readonly link: LinkProps };
  /** A file to begin with, for everyone. */
  readonly download?: { readonly action: string; readonly href: string };
  /** Only admins may do it. */
  readonly isForAdmins: boolean;
}

const STEP_TEXT = {
  import: {
    title: 'Add your products and listings',
    why: 'Add your products, listings and costs: import CSV files, or connect a marketplace.',
    action: 'Import files',
    link: { to: '/imports' },
    other: { action: 'Connect a marketplace', link: { to: '/settings', hash: 'marketplaces' } },
    isForAdmins: false,
  },
  own_sellers: {
    title: 'Identify your seller accounts',
    why: 'Until you do, your own offers could be mistaken for competitors, so prices based on competitors are only recommended.',
    action: 'Add seller names',
    link: { to: '/settings', hash: 'own-sellers' },
    isForAdmins: true,
  },
  shipping: {
    title: 'Enter shipping costs',
    why: 'Enter your shipping costs by weight. Without one, a listing you ship yourself (FBM) cannot be repriced.',
    action: 'Add tiers',
    link: { to: '/shipping-tiers' },
    isForAdmins: false,
  },
  fees: {
    title: 'Check the marketplace fees',
    why: 'Fees determine your margin floors. Standard US fees are filled in; check them against your accounts.',
    action: 'Check fees',
    link: { to: '/costs', search: { tab: 'fees' } },
    isForAdmins: true,
  },
  rule: {
    title: 'Create a rule',
    why: 'Choose how prices are set and the minimum margin to keep. You can preview the changes before saving.',
    action: 'Create rule',
    link: { to: '/rules/new' },
    isForAdmins: false,
  },
  review: {
    title: 'Review recommended prices',
    why: 'See each recommended price with its reason. No price has changed yet.',
    action: 'See recommendations',
    link: { to: '/listings', search: { state: 'recommended' } },
    isForAdmins: false,
  },
  go_live: {
    title: 'Go live on a marketplace',
    why: 'Prices then change automatically, within your limits. Start with one marketplace if you like; the others keep recommending. Anyone can halt repricing at any time.',
    action: 'Review and go live',
    link: { to: '/', search: { 'go-live': 'choose' } },
    isForAdmins: true,
  },
} satisfies Record<StepName, StepText>;

type SetupCardProps = {
  setup: Setup;
  hasListings: boolean;
};

/**
 * The first ten minutes in one line: progress, the next step and its action; all steps below on request, and at once in a new shop.
 * Hidden once all are finished or an admin closes it.
 */
export function SetupCard({ setup: data, hasListings }: SetupCardProps): React.JSX.Element | null {
  const isAdmin = useQuery(sessionQuery).data?.role === 'admin';
  const dismiss = useDismissSetup();
  const [isOpen, setOpen] = useState(!hasListings);
  const headingId = useId();
  const listId = useId();
  const next = data.steps.find(({ isDone }) => !isDone)?.step;
  if (data.isDismissed || next === undefined) return null;
  const done = data.steps.filter(({ isDone }) => isDone).length;
  const words = textOf(next, isAdmin, hasListings);
  return (
    <section aria-labelledby={headingId}>
      <Card className="p-0">
        <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 py-1.5 pr-1.5 pl-4">
          <Pips steps={data.steps} />
          <h2 id={headingId} className="font-medium">
            Set up repricing
          </h2>
          <p className="text-fg-muted">
            {done} of {data.steps.length} steps done
          </p>
          <p className="min-w-0 flex-1 truncate text-fg-muted max-lg:hidden">
            {!isOpen && `Next: ${words.title}`}
          </p>
          <span className="ml-auto flex flex-wrap items-center gap-x-1">
            {!isOpen && (
              <StepAction
                words={words}
                isNext
                mayAct={isAdmin || !words.isForAdmins}
                isTooEarly={isTooEarly(next, hasListings)}
              />
            )}
            <Button
              look="quiet"
              aria-expanded={isOpen}
              aria-controls={listId}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? 'Hide steps' : 'All steps'}
            </Button>
            {isAdmin && (
              <IconButton
                name="Hide this card"
                onClick={() => dismiss.mutate()}
                pending={dismiss.isPending}
                pendingText={<span className="sr-only">Hiding...</span>}
              >
                <X aria-hidden />
              </IconButton>
            )}
          </span>
        </div>
        <ol id={listId} hidden={!isOpen} className="px-4">
          {data.steps.map(({ step, isDone }) => (
            <Step
              key={step}
              words={textOf(step, isAdmin, hasListings)}
              isDone={isDone}
              isNext={step === next}
              isAdmin={isAdmin}
              isTooEarly={isTooEarly(step, hasListings)}
            />
          ))}
        </ol>
      </Card>
    </section>
  );
}

/** Nothing to review, and nothing to go live with. */
function isTooEarly(step: StepName, hasListings: boolean): boolean {
  return !hasListings && (step === 'review' || step === 'go_live');
}

/** The text next to them says the same. */
function Pips({ steps }: Pick<Setup, 'steps'>): React.JSX.Element {
  return (
    <span aria-hidden className="flex gap-[3px] max-sm:hidden">
      {steps.map(({ step, isDone }) => (
        <span
          key={step}
          className={classNames('h-1 w-4.5 rounded-full', isDone ? 'bg-primary' : 'bg-fill')}
        />
      ))}
    </span>
  );
}

/** A connected marketplace brings listings, but neither their SKUs nor what these cost. */
const SKUS_MISSING: StepText = {
  title: STEP_TEXT.import.title,
  why: 'Your listings are here; their SKUs are not. Download the missing SKUs, fill in cost and weight, and import the file. With Veeqo, sync them in Settings instead.',
  action: STEP_TEXT.import.action,
  link: STEP_TEXT.import.link,
  isForAdmins: false,
  download: { action: 'Download missing SKUs', href: '/api/coverage/skus.csv?problem=no_sku' },
};

/** The run preview is for users who may go live; all others see the recommended prices. */
function textOf(step: StepName, isAdmin: boolean, hasListings: boolean): StepText {
  if (step === 'import' && hasListings) return SKUS_MISSING;
  if (step !== 'review' || !isAdmin) return STEP_TEXT[step];
  return { ...STEP_TEXT.review, action: 'Preview changes', link: STEP_TEXT.go_live.link };
}

type StepProps = {
  words: StepText;
  isDone: boolean;
  isNext: boolean;
  isAdmin: boolean;
  /** Not possible without listings. */
  isTooEarly: boolean;
};

function Step({ words, isDone, isNext, isAdmin, isTooEarly }: StepProps): React.JSX.Element {
  const Mark = isDone ? CircleCheck : Circle;
  const mayAct = isAdmin || !words.isForAdmins;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t py-2.5">
      <Mark
        aria-hidden
        className={classNames('size-5 shrink-0', isDone ? 'text-success-text' : 'text-fg-muted')}
      />
      <div className="min-w-56 flex-1">
        <p className={classNames('font-medium', isDone && 'text-fg-muted')}>
          {words.title}
          {isDone && <span className="sr-only"> (done)</span>}
        </p>
        {!isDone && <p className="max-w-[70ch] text-sm text-fg-muted">{words.why}</p>}
      </div>
      {!isDone && <StepAction words={words} isNext={isNext} mayAct={mayAct} isTooEarly={isTooEarly} />}
      {!isDone && words.download !== undefined && (
        <a href={words.download.href} download className={buttonClasses({ look: 'outline' })}>
          {words.download.action}
        </a>
      )}
      {!isDone && isAdmin && words.other !== undefined && (
        <Link {...words.other.link} className={buttonClasses({ look: 'outline' })}>
          {words.other.action}
        </Link>
      )}
    </li>
  );
}

type StepActionProps = Pick<StepProps, 'words' | 'isNext' | 'isTooEarly'> & { mayAct: boolean };

function StepAction({ words, isNext, mayAct, isTooEarly }: StepActionProps): React.JSX.Element {
  if (!mayAct) return <span className="text-sm text-fg-muted">Only an administrator can do this</span>;
  if (isTooEarly) return <span className="text-sm text-fg-muted">Available after you add listings</span>;
  return (
    <Link {...words.link} className={buttonClasses({ look: isNext ? 'primary' : 'outline' })}>
      {words.action}
    </Link>
  );
}
