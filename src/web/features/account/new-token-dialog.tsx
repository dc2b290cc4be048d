import { useState } from 'react';
import { CALLS_PER_MINUTE, MakeApiToken, MOST_CALLS_PER_MINUTE } from '#contract/api-tokens.ts';
import { API_SCOPES, type ApiScope } from '#domain/api-scopes.ts';
import { ApiError, errorText } from '#web/lib/api.ts';
import { formatMoment } from '#web/lib/moments.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { SCOPE_LABELS } from '#web/ui/api-tokens/scope-labels.ts';
import { useMakeToken } from '#web/ui/api-tokens/token-calls.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { ShownSecret } from '#web/ui/shown-secret.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { StepButtons, StepDialog } from './step-dialog.tsx';

const DAY = 24 * 60 * 60_000;
const LIVES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '365 days' },
  { value: 'date', label: 'Until a date' },
] as const;
type Life = (typeof LIVES)[number]['value'];

/** ISO 8601; empty without a day. A day counts until its end, where the reader is. */
function endOf(life: Life, day: string): string {
  if (life !== 'date') return new Date(Date.now() + Number(life) * DAY).toISOString();
  const end = Date.parse(`${day}T23:59:59`);
  return Number.isNaN(end) ? '' : new Date(end).toISOString();
}

/** Creates an API token, and shows it once. */
export function NewTokenDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const make = useMakeToken();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly ApiScope[]>(['read']);
  const [life, setLife] = useState<Life>('90');
  const [day, setDay] = useState('');
  const [calls, setCalls] = useState(String(CALLS_PER_MINUTE));
  const [isTried, setTried] = useState(false);
  const form = { name, scopes: [...scopes], expiresAt: endOf(life, day), callsPerMinute: Number(calls) };
  const parsed = MakeApiToken.safeParse(form);
  const problems = { ...(isTried ? problemsOf(parsed) : {}), ...fieldsOf(make.error) };

  const submit = (): void => {
    setTried(true);
    if (parsed.success) make.mutate(form);
  };
  const choose = (scope: ApiScope, isChosen: boolean): void =>
    setScopes(API_SCOPES.filter((each) => (each === scope ? isChosen : scopes.includes(each))));

  if (make.data !== undefined) {
    return (
      <StepDialog
        step={{
          title: 'Your new API token',
          description: 'Copy it now. It is not shown again.',
          isWide: true,
          onClose,
          footer: <Button onClick={onClose}>Done</Button>,
          body: (
            <div className="flex flex-col gap-3">
              <ShownSecret name="API token" secret={make.data.token} />
              <p className="text-fg-muted">It expires on {formatMoment(make.data.expiresAt, 'short')}.</p>
            </div>
          ),
        }}
      />
    );
  }
  const other = make.error !== null && Object.keys(fieldsOf(make.error)).length === 0;
  return (
    <StepDialog
      step={{
        title: 'New API token',
        description: 'Programs send it as a bearer token with every call.',
        isWide: true,
        onClose,
        onSubmit: submit,
        footer: (
          <StepButtons
            onCancel={onClose}
            action="Create token"
            pendingText="Creating..."
            pending={make.isPending}
          />
        ),
        body: (
          <div className="flex flex-col gap-4">
            {other && !isDeclined(make.error) && (
              <Callout tone="danger" role="alert" title="Could not create the API token">
                <p className="text-fg-muted">{errorText(make.error)}</p>
              </Callout>
            )}
            <TextField
              label="Name"
              hint="What it is for, such as Nightly price export"
              maxLength={60}
              autoComplete="off"
              error={problems.name}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
            <fieldset>
              <legend className="font-medium">Scopes</legend>
              {API_SCOPES.map((scope) => (
                <Checkbox
                  key={scope}
                  label={SCOPE_LABELS[scope].name}
                  hint={SCOPE_LABELS[scope].hint}
                  checked={scopes.includes(scope)}
                  onChange={(isChosen) => choose(scope, isChosen)}
                />
              ))}
              {problems.scopes !== undefined && (
                <p role="alert" className="mt-1 text-sm text-danger-text">
                  {problems.scopes}
                </p>
              )}
            </fieldset>
            <SelectField
              label="Expires after"
              options={LIVES}
              value={life}
              onChange={setLife}
              error={life === 'date' ? undefined : problems.expiresAt}
            />
            {life === 'date' && (
              <TextField
                label="Last day"
                type="date"
                hint="At most a year from now"
                error={problems.expiresAt}
                value={day}
                onChange={(event) => setDay(event.target.value)}
              />
            )}
            <NumberField
              label="Calls per minute"
              hint={`1 to ${MOST_CALLS_PER_MINUTE}`}
              error={problems.callsPerMinute}
              value={calls}
              onChange={(event) => setCalls(event.target.value)}
            />
          </div>
        ),
      }}
    />
  );
}

function problemsOf(parsed: ReturnType<typeof MakeApiToken.safeParse>): Partial<Record<string, string>> {
  const problems: Partial<Record<string, string>> = {};
  for (const { path, message } of parsed.error?.issues ?? []) {
    const field = String(path[0]);
    problems[field] ??= field === 'expiresAt' ? 'Choose a day' : message;
  }
  return problems;
}

function fieldsOf(error: Error | null): Partial<Record<string, string>> {
  return error instanceof ApiError ? error.fields : {};
}
