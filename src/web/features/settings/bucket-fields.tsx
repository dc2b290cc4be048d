import { useId } from 'react';
import type { Backups, EditBucket } from '#contract/backups.ts';
import { SECRET_MASK } from '#contract/settings.ts';
import { ApiError, errorText } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useTestBucket } from './backup-calls.ts';

/** A bucket as it is entered; an empty secret key keeps the stored one. */
export type BucketDraft = Backups['bucket'];

/** The fields of a bucket start as stored, without its secret key. */
export function bucketDraftOf({ bucket }: Backups): BucketDraft {
  return { ...bucket, secretAccessKey: '' };
}

/** What is sent for a draft. */
export function enteredBucket(draft: BucketDraft, { bucket }: Backups): EditBucket {
  return {
    ...draft,
    secretAccessKey: draft.secretAccessKey === '' ? bucket.secretAccessKey : draft.secretAccessKey,
  };
}

const TEXTS = [
  ['endpoint', 'Endpoint', 'The address of the service, such as https://s3.eu-central-1.amazonaws.com.'],
  [
    'region',
    'Region',
    'Such as eu-central-1. Services without regions take us-east-1, or the word in their guide.',
  ],
  ['name', 'Bucket', 'It must exist. Give each installation its own bucket or prefix.'],
  ['prefix', 'Prefix', 'What the names of the files begin with, such as shop/. May be blank.'],
  ['accessKeyId', 'Access key', 'Of a user who may only write, list, read and delete there.'],
] as const;

interface BucketFieldsProps {
  readonly stored: Backups;
  readonly draft: BucketDraft;
  /** By the names of the fields: "bucket.endpoint". */
  readonly errors: Readonly<Record<string, string | undefined>>;
  readonly onChange: (change: Partial<BucketDraft>) => void;
}

/** The bucket of an S3-compatible service, and a test of it. */
export function BucketFields({ stored, draft, errors, onChange }: BucketFieldsProps): React.JSX.Element {
  const test = useTestBucket();
  const hintId = useId();
  const set = (change: Partial<BucketDraft>): void => {
    onChange(change);
    if (!test.isIdle) test.reset();
  };
  const testErrors = test.error instanceof ApiError ? test.error.fields : {};
  const errorOf = (name: string): string | undefined =>
    errors[`bucket.${name}`] ?? testErrors[`bucket.${name}`];
  return (
    <>
      {TEXTS.map(([name, label, hint]) => (
        <TextField
          key={name}
          label={label}
          hint={hint}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          error={errorOf(name)}
          value={draft[name]}
          onChange={(event) => set({ [name]: event.target.value })}
        />
      ))}
      <PasswordField
        label="Secret key"
        autoComplete="new-password"
        maxLength={200}
        hint={
          stored.bucket.secretAccessKey === SECRET_MASK
            ? 'Stored encrypted, not shown. Leave blank to keep it.'
            : 'Stored encrypted, and never shown again.'
        }
        error={errorOf('secretAccessKey')}
        value={draft.secretAccessKey}
        onChange={(event) => set({ secretAccessKey: event.target.value })}
      />
      <div>
        <Switch
          label="Path style addresses"
          hintId={hintId}
          checked={draft.isPathStyle}
          onChange={(isPathStyle) => set({ isPathStyle })}
        />
        <p id={hintId} className="text-sm text-fg-muted">
          On: https://host/bucket, for MinIO and most others. Off: https://bucket.host, for Amazon.
        </p>
      </div>
      <div>
        <Button
          look="outline"
          pending={test.isPending}
          pendingText="Testing..."
          onClick={() => test.mutate(enteredBucket(draft, stored))}
        >
          Test connection
        </Button>
      </div>
      {test.data?.success === true && (
        <Callout tone="success" role="status" title="The bucket works">
          <p className="text-fg-muted">A small file was written, listed, read and deleted.</p>
        </Callout>
      )}
      {(test.error !== null || test.data?.success === false) && (
        <Callout tone="danger" role="alert" title="The bucket does not work">
          <p className="text-fg-muted">{test.error === null ? test.data?.error : errorText(test.error)}</p>
        </Callout>
      )}
    </>
  );
}
