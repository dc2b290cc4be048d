import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { toast } from '#web/lib/use-toast.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { CommandMenu } from '#web/ui/command-menu.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/menu.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { SideSheet } from '#web/ui/side-sheet.tsx';
import { Tip } from '#web/ui/tooltip.tsx';
import { Sample, SampleGroup } from './sample.tsx';

type Layer = 'dialog' | 'alert' | 'command' | 'sheet';

/** What opens above the page, each with the button that opens it. Layers have the theme of the page. */
export function LayerSamples(): React.JSX.Element {
  const [open, setOpen] = useState<Layer | null>(null);
  const close = (): void => setOpen(null);
  const opener = (layer: Layer, text: string): React.JSX.Element => (
    <Button look="outline" onClick={() => setOpen(layer)}>
      {text}
    </Button>
  );
  return (
    <SampleGroup name="Layers">
      <Sample name="Dialog, AlertDialog, CommandMenu, SideSheet">
        {opener('dialog', 'Open a dialog')}
        {opener('alert', 'Open an alert dialog')}
        {opener('command', 'Open a command menu')}
        {opener('sheet', 'Open a side sheet')}
        <Dialog
          open={open === 'dialog'}
          onClose={close}
          title="Update Price"
          description="Enamel kettle on Walmart"
          footer={<Button onClick={close}>Update price</Button>}
        >
          <p>One short form, or the consequences of one action.</p>
        </Dialog>
        <AlertDialog
          open={open === 'alert'}
          onCancel={close}
          title="Delete rule Summer?"
          action="Delete rule"
          onConfirm={close}
        >
          <p>108 listings lose it and keep their price.</p>
        </AlertDialog>
        {open === 'command' && (
          <CommandMenu
            onClose={close}
            label="Sample commands"
            placeholder="Search"
            text=""
            onText={() => undefined}
            groups={[
              {
                heading: 'Screens',
                items: [{ id: 'a', label: 'Screen', content: 'Listings', onChoose: close }],
              },
            ]}
            empty="Nothing found"
          />
        )}
      </Sample>
      <Sample name="Menu, Popover, Tip, Toaster">
        <Menu trigger={<Button look="outline">Open a menu</Button>}>
          <MenuLabel>Enamel kettle</MenuLabel>
          <MenuItem icon={Pencil}>Update Price</MenuItem>
          <MenuSeparator />
          <MenuItem icon={Trash2} isDanger>
            Delete
          </MenuItem>
        </Menu>
        <Popover label="Sample panel" trigger={<Button look="outline">Open a popover</Button>}>
          <p className="p-4">A choice, or a status.</p>
        </Popover>
        <Tip text="One sentence that adds something">
          <Button look="quiet">With a tooltip</Button>
        </Tip>
        <Button look="outline" onClick={() => toast('Price changed', 'KI-1037: $39.99 to $38.49')}>
          Show a toast
        </Button>
      </Sample>
      {open === 'sheet' && (
        <SideSheet title="Listing Analytics" actions={[]} onClose={close} focusRequest={1}>
          <p>One row, while the list stays.</p>
        </SideSheet>
      )}
    </SampleGroup>
  );
}
