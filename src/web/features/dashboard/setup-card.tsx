import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Circle, CircleCheck } from 'lucide-react';
import { useId } from 'react';
import type { Setup } from '#contract/start.ts';
import { classNames } from '#web/lib/class-names.ts';
import { sessionQuery } from '#web/lib/session.ts';
import { Button, buttonClasses } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { useDismissSetup } from './queries.ts';

type StepName = Setup['steps'][number]['step'];

interface StepWords {
  readonly title: string;
  readonly why: string;
  readonly action: string;
  readonly link: LinkProps;
  /** Another way to the same end, for admins. */
  readonly other?: { readonly action: string; readonly link: LinkProps };
  /** Only admins may do it. */
  readonly isForAdmins: boolean;
}

const WORDS = {
  import: {
    title: 'Add your products and listings',
    why: 'Add your products, listings and costs: import CSV files, or connect a marketplace.',
    action: 'Import files',
    link: { to: '/imports' },
    other: { action: 'Connect a marketplace', link: { to: '/settings', hash: 'marketplaces' } },
    isForAdmins: false,
  },
  own_sellers: {
    title: 'Say which sellers are you',
    why: 'Until then your own offers could count as a rival, so nothing competitive is changed by itself.',
    action: 'Name your sellers',
    link: { to: '/settings', hash: 'own-sellers' },
    isForAdmins: true,
  },
  shipping: {
    title: 'Enter what shipping costs',
    why: 'By weight, once for all listings. Without it a listing cannot be repriced, unless it has a shipping cost of its own.',
    action: 'Add tiers',
    link: { to: '/shipping-tiers' },
    isForAdmins: false,
  },
  fees: {
    title: 'Check the marketplace fees',
    why: 'They decide your lowest legal price. The usual US fees are filled in.',
    action: 'Check fees',
    link: { to: '/costs', search: { tab: 'fees' } },
    isForAdmins: true,
  },
  rule: {
    title: 'Create a rule',
    why: 'How prices are made and the margin that is never given up. You see what it would do before saving.',
    action: 'Create rule',
    link: { to: '/rules', search: { rule: 'new' } },
    isForAdmins: false,
  },
  look: {
    title: 'Look at what it would do',
    why: 'Recommended prices with their reasons. Nothing has changed yet.',
    action: 'See recommendations',
    link: { to: '/listings', search: { state: 'recommended' } },
    isForAdmins: false,
  },
  arm: {
    title: 'Arm a marketplace',
    why: 'From then on prices change by themselves there, within your limits. You choose where, one at a time if you like; the others go on observing. Anybody can halt it at once.',
    action: 'Look and arm',
    link: { to: '/', search: { arm: 'choose' } },
    isForAdmins: true,
  },
} satisfies Record<StepName, StepWords>;

type SetupCardProps = {
  setup: Setup;
  hasListings: boolean;
};

/** The first ten minutes: what is done, what comes next. It goes once everything is done or somebody closes it. */
export function SetupCard({ setup: data, hasListings }: SetupCardProps): React.JSX.Element | null {
  const isAdmin = useQuery(sessionQuery).data?.role === 'admin';
  const dismiss = useDismissSetup();
  const headingId = useId();
  if (data.isDismissed || data.steps.every(({ isDone }) => isDone)) return null;
  const next = data.steps.find(({ isDone }) => !isDone)?.step;
  const done = data.steps.filter(({ isDone }) => isDone).length;
  return (
    <section aria-labelledby={headingId}>
      <Card className="p-4 md:p-6">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div>
            <h2 id={headingId} className="text-lg font-semibold">
              Set up repricing
            </h2>
            <p className="mt-1 text-fg-muted">
              {done} of {data.steps.length} steps done
            </p>
          </div>
          {isAdmin && (
            <Button
              look="quiet"
              onClick={() => dismiss.mutate()}
              pending={dismiss.isPending}
              pendingText="Hiding..."
            >
              Hide this card
            </Button>
          )}
        </div>
        <ol className="mt-4 flex flex-col">
          {data.steps.map(({ step, isDone }) => (
            <Step
              key={step}
              words={wordsOf(step, isAdmin)}
              isDone={isDone}
              isNext={step === next}
              isAdmin={isAdmin}
              isTooEarly={!hasListings && (step === 'look' || step === 'arm')}
            />
          ))}
        </ol>
      </Card>
    </section>
  );
}

/** The plan to look at is for those who may arm; everybody else looks at the recommended prices. */
function wordsOf(step: StepName, isAdmin: boolean): StepWords {
  if (step !== 'look' || !isAdmin) return WORDS[step];
  return { ...WORDS.look, action: 'Show the plan', link: WORDS.arm.link };
}

type StepProps = {
  words: StepWords;
  isDone: boolean;
  isNext: boolean;
  isAdmin: boolean;
  /** Without listings there is nothing to do it with. */
  isTooEarly: boolean;
};

function Step({ words, isDone, isNext, isAdmin, isTooEarly }: StepProps): React.JSX.Element {
  const Mark = isDone ? CircleCheck : Circle;
  const mayAct = isAdmin || !words.isForAdmins;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t py-3 last:pb-0">
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
  if (!mayAct) return <span className="text-sm text-fg-muted">An administrator does this</span>;
  if (isTooEarly) return <span className="text-sm text-fg-muted">Once there are listings</span>;
  return (
    <Link {...words.link} className={buttonClasses({ look: isNext ? 'primary' : 'outline' })}>
      {words.action}
    </Link>
  );
}
