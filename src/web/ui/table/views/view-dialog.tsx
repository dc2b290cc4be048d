import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, errorText } from '#web/lib/api.ts';
import { sessionQuery } from '#web/lib/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/text-field.tsx';

export interface ViewForm {
  readonly name: string;
  readonly isShared: boolean;
}

type ViewDialogProps = {
  title: string;
  start: ViewForm;
  error: Error | null;
  pending: boolean;
  onSave: (form: ViewForm) => void;
  onClose: () => void;
};

/** Asks for the name of a view, and asks administrators whether it is shared with all users. */
export function ViewDialog(props: ViewDialogProps): React.JSX.Element {
  const { title, start, error, pending, onSave, onClose } = props;
  const isAdmin = useQuery(sessionQuery).data?.role === 'admin';
  const [form, setForm] = useState(start);
  const [isEmpty, setEmpty] = useState(false);
  const nameProblem = error instanceof ApiError ? error.fields?.name : undefined;
  const submit = (): void => {
    const name = form.name.trim();
    setEmpty(name === '');
    if (name !== '') onSave({ ...form, name });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description="A view saves the search, filters, order, columns and row height."
      size="small"
      onSubmit={submit}
      footer={
        <>
          <Button look="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" pending={pending} pendingText="Saving...">
            Save view
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <TextField
          label="Name"
          value={form.name}
          maxLength={80}
          autoComplete="off"
          error={isEmpty ? 'Enter a name, such as "Thin margins"' : nameProblem}
          onChange={(event) => {
            setEmpty(false);
            setForm({ ...form, name: event.target.value });
          }}
        />
        {isAdmin && (
          <Checkbox
            label="Share with everyone"
            hint="All users see it above the table. Only you and administrators can change it."
            checked={form.isShared}
            onChange={(isShared) => setForm({ ...form, isShared })}
          />
        )}
        {error !== null && nameProblem === undefined && (
          <p role="alert" className="text-danger-text">
            {errorText(error)}
          </p>
        )}
      </div>
    </Dialog>
  );
}
