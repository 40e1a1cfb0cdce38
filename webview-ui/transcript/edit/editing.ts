import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { EntryView } from '../state/viewModel';
import type { EditingSession, EditingState, OpenEditor } from './editingSession';

/** The state of editing, and the session that changes it. */
interface Editing extends EditingState {
  readonly session: EditingSession;
}

export const EditingContext = createContext<Editing | undefined>(undefined);

export function useEditing(): Editing {
  const editing = useContext(EditingContext);
  if (editing === undefined) throw new Error('there is no EditingProvider above this component');
  return editing;
}

/** The editor that takes the place of a message: of a response, while it is being changed. */
export function useEditor({ interaction, summary }: EntryView): OpenEditor | undefined {
  const { editor } = useEditing();
  return summary.origin === 'response' && editor?.interaction === interaction ? editor : undefined;
}
