import { count, list, nothing, shape, text } from '../../core/schema/schema';
import type { RedactionPlan } from '../../core/secrets/planRedaction';
import type { EditableResponse } from '../../core/tapes/edits/editableResponse';
import { type Answers, call, returns } from '../contract';
import { tapeEdit } from '../tapeEdit';

const INTERACTION = { interaction: count() };
const ofInteraction = shape(INTERACTION);

/** The calls of the transcript's page that change the tape, or export from it. */
export const editingCalls = {
  /** The parts of a response that can be edited, in full. */
  editable: call(ofInteraction, returns<EditableResponse>()),
  /** Changes the document, as one undo step. Rejects with the reason, and changes nothing, if an edit is impossible. */
  edit: call(shape({ edits: list(tapeEdit) }), returns<EditResult>()),
  /** Takes back the last edit of the document. */
  undoEdit: call(nothing, returns<void>()),
  /** Asks the user which value to remove from the tape, and returns what that changes. Null when the user cancels. */
  planRedaction: call(shape({ selected: text() }), returns<RedactionPlan | null>()),
  /** Removes the value of the last plan: the value itself never reaches the page. */
  redact: call(nothing, returns<EditResult>()),
  /** Puts an interaction into the clipboard. */
  copyAs: call(
    shape({ ...INTERACTION, kind: text('', { enum: ['text', 'markdown', 'curl', 'json', 'case'] }) }),
    returns<void>(),
  ),
  /** Puts a link that leads to an interaction into the clipboard. */
  copyLink: call(ofInteraction, returns<void>()),
  /** Opens the transcript as text, at an interaction. */
  openTranscriptAsText: call(ofInteraction, returns<void>()),
  /** Begins a fork of the tape at an interaction, the first that it does not share. */
  fork: call(ofInteraction, returns<void>()),
  /** Begins to make a case of the run on the tape. */
  makeCase: call(nothing, returns<void>()),
  exportTranscript: call(nothing, returns<void>()),
};
export type EditingApi = Answers<typeof editingCalls>;

export interface EditResult {
  /** The names of members that changed with it, such as `content_hash`. */
  readonly dependents: readonly string[];
}
