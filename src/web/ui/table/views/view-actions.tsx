import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import type { View } from '#contract/views.ts';
import { errorText } from '#web/lib/api.ts';
import { sessionQuery } from '#web/lib/session.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Menu, MenuItem } from '#web/ui/menu.tsx';
import type { SavedViews } from './use-saved-views.ts';
import { useCreateView, useDeleteView, useEditView } from './view-calls.ts';
import { ViewDialog } from './view-dialog.tsx';

type Asking = 'create' | 'rename' | null;

type ViewActionsProps = {
  views: SavedViews;
  /** The active view was deleted, and with it the button that had the focus. */
  onDeleted: () => void;
};

/** Actions for the active view: save changes, save as new, discard changes, rename, delete. */
export function ViewActions({ views, onDeleted }: ViewActionsProps): React.JSX.Element {
  const { current, isModified, isStandard, discard } = views;
  const isAdmin = useQuery(sessionQuery).data?.role === 'admin';
  const [asking, setAsking] = useState<Asking>(null);
  const saving = useSaveView(views);
  const mayChange = current !== null && (current.isMine || isAdmin);
  return (
    <>
      {isModified && mayChange && (
        <Button
          look="quiet"
          size="small"
          pending={saving.isPending}
          pendingText="Saving..."
          onClick={() => saving.save(current)}
        >
          Save
        </Button>
      )}
      {isModified && (
        <>
          <Button look="quiet" size="small" onClick={() => setAsking('create')}>
            {isStandard ? 'Save as a view' : 'Save as'}
          </Button>
          {!isStandard && (
            <Button look="quiet" size="small" onClick={discard}>
              Discard
            </Button>
          )}
        </>
      )}
      {mayChange && (
        <ViewMenu view={current} views={views} onDeleted={onDeleted} onRename={() => setAsking('rename')} />
      )}
      {asking === 'create' && <CreateDialog views={views} onClose={() => setAsking(null)} />}
      {asking === 'rename' && current !== null && (
        <RenameDialog view={current} onClose={() => setAsking(null)} />
      )}
    </>
  );
}

/** Saves the list on screen as a view. */
function useSaveView({ params, layout, settle }: SavedViews) {
  const edit = useEditView();
  return {
    isPending: edit.isPending,
    save: (view: View): void =>
      edit.mutate(
        { view, change: { query: { ...params }, layout: copied(layout) } },
        {
          onSuccess: settle,
          onError: (error) => toast('Could not save the view', errorText(error), 'destructive'),
        },
      ),
  };
}

function copied({ order, hidden, shown = [], widths, density }: SavedViews['layout']): View['layout'] {
  return { order: [...order], hidden: [...hidden], shown: [...shown], widths: { ...widths }, density };
}

type ViewMenuProps = ViewActionsProps & { view: View; onRename: () => void };

function ViewMenu({ view, views, onDeleted, onRename }: ViewMenuProps): React.JSX.Element {
  const standard = views.builtIn[0];
  const remove = useDeleteView(() => {
    views.settle();
    if (standard !== undefined) views.show(standard);
    onDeleted();
  });
  const chosen = useRef<'rename' | 'delete' | null>(null);
  // Once the menu has closed and the focus is back at its button: dialog and deletion start from there.
  const onClosed = (): boolean => {
    if (chosen.current === 'rename') onRename();
    if (chosen.current === 'delete') remove.mutate(view);
    chosen.current = null;
    return false;
  };
  const choose = (what: 'rename' | 'delete') => (): void => {
    chosen.current = what;
  };
  return (
    <Menu
      trigger={
        <IconButton name={`Options of the view ${view.name}`}>
          <Ellipsis aria-hidden />
        </IconButton>
      }
      onClosed={onClosed}
    >
      <MenuItem icon={Pencil} onSelect={choose('rename')}>
        Rename or share
      </MenuItem>
      <MenuItem icon={Trash2} isDanger onSelect={choose('delete')}>
        Delete view
      </MenuItem>
    </Menu>
  );
}

function CreateDialog({ views, onClose }: { views: SavedViews; onClose: () => void }): React.JSX.Element {
  const create = useCreateView();
  const { list, params, layout, current, settle, show } = views;
  return (
    <ViewDialog
      title="Save as a view"
      start={{ name: '', isShared: false }}
      error={create.error}
      pending={create.isPending}
      onClose={onClose}
      onSave={(form) =>
        create.mutate(
          { list, ...form, query: { ...params }, layout: copied(layout) },
          {
            onSuccess: (id) => {
              // The original view stays as saved.
              if (current !== null) settle();
              show({ id, query: { ...params } });
              onClose();
            },
          },
        )
      }
    />
  );
}

function RenameDialog({ view, onClose }: { view: View; onClose: () => void }): React.JSX.Element {
  const edit = useEditView();
  return (
    <ViewDialog
      title={`Rename "${view.name}"`}
      start={view}
      error={edit.error}
      pending={edit.isPending}
      onClose={onClose}
      onSave={({ name, isShared }) =>
        edit.mutate({ view, change: { name, isShared } }, { onSuccess: onClose })
      }
    />
  );
}
