import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useEffect, useRef, useState } from 'react';
import { expect, test } from 'vitest';
import { AlertDialog } from './alert-dialog.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Menu, MenuItem } from './menu.tsx';
import { TextField } from './text-field.tsx';

function Page(props: { onSend: () => void }): React.JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Add SKU</Button>
      <Menu trigger={<Button>Actions</Button>}>
        <MenuItem onSelect={() => setOpen(true)}>Add one</MenuItem>
      </Menu>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Add a SKU"
        description="It can be sold at once."
        onSubmit={props.onSend}
        footer={<Button type="submit">Create SKU</Button>}
      >
        <TextField label="SKU" />
      </Dialog>
    </>
  );
}

test('a dialog is named, traps the focus and returns it', async () => {
  render(<Page onSend={() => undefined} />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Add SKU' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add a SKU' });
  expect(dialog.getAttribute('aria-describedby')).toBeTruthy();
  await user.tab({ shift: true });
  await user.tab();
  expect(dialog.contains(document.activeElement)).toBe(true);
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add SKU' }));
});

test('opened from a menu, it returns the focus to the button of the menu', async () => {
  render(<Page onSend={() => undefined} />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Add one' }));
  await screen.findByRole('dialog', { name: 'Add a SKU' });
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Actions' }));
});

function Refused(): React.JSX.Element {
  const [step, setStep] = useState<'typing' | 'asked' | 'refused'>('typing');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (step === 'refused') field.current?.focus();
  }, [step]);
  return (
    <>
      <Button onClick={() => setStep('asked')}>Save</Button>
      {step === 'refused' && <input ref={field} aria-label="Price" />}
      <AlertDialog
        open={step === 'asked'}
        title="Change it?"
        action="Change"
        onCancel={() => setStep('refused')}
        onConfirm={() => undefined}
      >
        It is checked first.
      </AlertDialog>
    </>
  );
}

test('an element that takes the focus as a dialog closes keeps it', async () => {
  render(<Refused />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  await user.keyboard('12');
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Price' }).value).toBe('12');
});

function Steps(): React.JSX.Element {
  const [step, setStep] = useState(0);
  return (
    <>
      <Button onClick={() => setStep(1)}>Edit costs</Button>
      {step === 1 && (
        <Dialog
          key="first"
          open
          onClose={() => setStep(0)}
          title="Costs"
          footer={<Button onClick={() => setStep(2)}>Save</Button>}
        >
          <TextField label="Cost" />
        </Dialog>
      )}
      {step === 2 && (
        <Dialog key="second" open onClose={() => setStep(0)} title="Saved">
          Two prices are too low now.
        </Dialog>
      )}
    </>
  );
}

test('a dialog that replaces another one returns the focus to the opener of the first', async () => {
  render(<Steps />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Edit costs' }));
  await user.click(await screen.findByRole('button', { name: 'Save' }));
  await screen.findByRole('dialog', { name: 'Saved' });
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit costs' })),
  );
});

test('Enter in a field, the button and Ctrl+Enter each submit the form once', async () => {
  let sent = 0;
  render(
    <Page
      onSend={() => {
        sent += 1;
      }}
    />,
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Add SKU' }));
  await user.type(await screen.findByLabelText('SKU'), 'A-1{Enter}');
  await user.click(screen.getByRole('button', { name: 'Create SKU' }));
  expect(sent).toBe(2);
  screen.getByLabelText('SKU').focus();
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(sent).toBe(3);
});

test('an alert dialog starts on Cancel and acts only on its verb', async () => {
  const done: string[] = [];
  render(
    <AlertDialog
      open
      title="Delete rule Summer?"
      action="Delete rule"
      onCancel={() => done.push('cancelled')}
      onConfirm={() => done.push('deleted')}
    >
      12 listings lose this rule. Their prices stay.
    </AlertDialog>,
  );
  const user = userEvent.setup();
  const dialog = await screen.findByRole('alertdialog', { name: 'Delete rule Summer?' });
  expect(dialog.textContent).toContain('Their prices stay.');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(screen.getByRole('button', { name: 'Delete rule' }));
  await user.keyboard('{Escape}');
  expect(done).toEqual(['deleted', 'cancelled']);
});
