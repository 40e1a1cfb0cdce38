import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ExportKind } from '../../../src/core/export/exportInteraction';
import type { RedactionPlan } from '../../../src/core/secrets/planRedaction';
import type { EditableResponse } from '../../../src/core/tapes/edits/editableResponse';
import type { TapeEdit } from '../../../src/core/tapes/format';
import type { EntryView } from '../state/viewModel';
import type { Draft } from './draft';

/** An answer that is being changed. */
export interface OpenEditor {
  readonly interaction: number;
  readonly answer: EditableResponse;
  readonly draft: Draft;
}

/** What the page can do to the tape. Failures are shown by the page. */
export interface Editing {
  /** Why nothing can be changed; undefined where it can, or while that is not known. */
  readonly readOnly: string | undefined;
  readonly editor: OpenEditor | undefined;
  /** What a redaction would change, while the user looks at it. */
  readonly redaction: RedactionPlan | undefined;
  /** The interaction whose menu is open. */
  readonly menu: number | undefined;
  open(interaction: number): void;
  type(field: string, value: string): void;
  /** Changes the tape as the draft says, and closes the editor if that could be done. */
  apply(): void;
  cancel(): void;
  showMenu(interaction: number | undefined): void;
  act(edit: TapeEdit): void;
  /** Asks for a value, and shows what taking it out would change. */
  redact(): void;
  /** Takes it out, or does not. */
  settleRedaction(confirmed: boolean): void;
  copyAs(interaction: number, kind: ExportKind): void;
  copyLink(interaction: number): void;
  openTranscriptAsText(): void;
  exportTranscript(): void;
}

export const EditingContext = createContext<Editing | undefined>(undefined);

export function useEditing(): Editing {
  const editing = useContext(EditingContext);
  if (editing === undefined) throw new Error('nothing is edited above this component');
  return editing;
}

/** The editor that stands in the place of a message: of the answer, where it is being changed. */
export function useEditor({ interaction, summary }: EntryView): OpenEditor | undefined {
  const { editor } = useEditing();
  return summary.origin === 'response' && editor?.interaction === interaction ? editor : undefined;
}
