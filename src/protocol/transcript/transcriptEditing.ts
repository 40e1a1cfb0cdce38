import type { ExportKind } from '../../core/export/exportInteraction';
import type { RedactionPlan } from '../../core/secrets/planRedaction';
import type { EditableResponse } from '../../core/tapes/edits/editableResponse';
import type { TapeEdit } from '../../core/tapes/format';
import type { UsageEdit } from '../../core/wire/edit/responseEdit';
import { isIndex, isListOf, isMapOf, isNothing, isOneOf, isShape, isText } from '../rpc/guards';
import type { Guard, Guards } from '../rpc/rpc';

/** The calls of the transcript webview that change the tape, or export from it. */
export type EditingApi = {
  /** The parts of a response that can be edited, in full. */
  editable(params: InteractionParams): Promise<EditableResponse>;
  /** Changes the document, as one undo step. Rejects with the reason, and changes nothing, if an edit is impossible. */
  edit(params: EditParams): Promise<EditResult>;
  /** Asks the user which value to remove from the tape, and returns what that changes. Null when the user cancels. */
  planRedaction(params: { readonly selected: string }): Promise<RedactionPlan | null>;
  /** Removes the value of the last plan: the value itself never reaches the page. */
  redact(params: undefined): Promise<EditResult>;
  /** Puts an interaction into the clipboard. */
  copyAs(params: CopyParams): Promise<void>;
  /** Puts a link that leads to an interaction into the clipboard. */
  copyLink(params: InteractionParams): Promise<void>;
  /** Opens the transcript as text, at an interaction. */
  openTranscriptAsText(params: InteractionParams): Promise<void>;
  /** Begins a fork of the tape at an interaction, the first that it does not share. */
  fork(params: InteractionParams): Promise<void>;
  /** Begins to make a case of the run on the tape. */
  makeCase(params: undefined): Promise<void>;
  exportTranscript(params: undefined): Promise<void>;
};

export interface CopyParams {
  readonly interaction: number;
  readonly kind: ExportKind;
}

export interface EditParams {
  readonly edits: readonly TapeEdit[];
}

export interface EditResult {
  /** The names of members that changed with it, such as `content_hash`. */
  readonly dependents: readonly string[];
}

interface InteractionParams {
  readonly interaction: number;
}

const INTERACTION = { interaction: isIndex };

const EDITS: { readonly [T in TapeEdit['type']]: Guard<Extract<TapeEdit, { readonly type: T }>> } = {
  'response-text': isShape({ type: isOneOf('response-text'), ...INTERACTION, text: isText }),
  reasoning: isShape({ type: isOneOf('reasoning'), ...INTERACTION, part: isIndex, text: isText }),
  arguments: isShape({ type: isOneOf('arguments'), ...INTERACTION, call: isIndex, json: isText }),
  usage: isShape({ type: isOneOf('usage'), ...INTERACTION, usage: isUsageChange }),
  status: isShape({ type: isOneOf('status'), ...INTERACTION, status: isStatus }),
  delete: isShape({ type: isOneOf('delete'), ...INTERACTION }),
  duplicate: isShape({ type: isOneOf('duplicate'), ...INTERACTION }),
  add: isShape({ type: isOneOf('add'), ...INTERACTION }),
  move: isShape({ type: isOneOf('move'), ...INTERACTION, by: isStep }),
  redact: isShape({ type: isOneOf('redact'), value: isText }),
};

const USAGE_COUNTS: readonly string[] = [
  'promptTokens',
  'completionTokens',
  'cachedTokens',
  'cacheWriteTokens',
  'reasoningTokens',
] satisfies (keyof UsageEdit)[];

function isUsageChange(value: unknown): value is UsageEdit {
  return isMapOf(isIndex)(value) && Object.keys(value).every((name) => USAGE_COUNTS.includes(name));
}

function isStatus(value: unknown): value is number {
  return isIndex(value) && value >= 100 && value <= 999;
}

function isStep(value: unknown): value is -1 | 1 {
  return value === -1 || value === 1;
}

export function isTapeEdit(value: unknown): value is TapeEdit {
  const isTyped = isShape<{ readonly type: string }>({ type: isText });
  if (!isTyped(value)) return false;
  const guard = Object.entries(EDITS).find(([type]) => type === value.type)?.[1];
  return guard?.(value) ?? false;
}

/** For the result of `readOnlyReason`. */
export const isReadOnlyReason: Guard<string | null> = (value): value is string | null =>
  value === null || isText(value);

export const editingGuards: Guards<EditingApi> = {
  editable: isShape<InteractionParams>({ interaction: isIndex }),
  edit: isShape<EditParams>({ edits: isListOf(isTapeEdit) }),
  planRedaction: isShape<{ readonly selected: string }>({ selected: isText }),
  redact: isNothing,
  copyAs: isShape<CopyParams>({
    interaction: isIndex,
    kind: isOneOf<ExportKind>('text', 'markdown', 'curl', 'json', 'case'),
  }),
  copyLink: isShape<InteractionParams>({ interaction: isIndex }),
  openTranscriptAsText: isShape(INTERACTION),
  fork: isShape(INTERACTION),
  makeCase: isNothing,
  exportTranscript: isNothing,
};
