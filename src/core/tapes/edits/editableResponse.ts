import { prettyJson } from '../../json/json';
import type { Interaction } from '../../model/interaction';
import type { ChatResponse, ToolCall } from '../../model/message';
import type { Usage } from '../../model/usage';
import { reasoningPartsOf } from '../../wire/edit/responseEdit';
import { detectFormat } from '../readTape';
import type { TapeFile } from '../tapeFile';

/**
 * The parts of a recorded response that can be edited, with their values. Plain data, which is sent to the webview as
 * it is.
 */
export interface EditableResponse {
  /** Absent if the response has no text. */
  readonly text?: string;
  readonly reasoning: readonly string[];
  readonly calls: readonly EditableToolCall[];
  readonly usage?: Pick<Usage, 'promptTokens' | 'completionTokens'>;
  /** The HTTP status, where it was recorded. */
  readonly status?: number;
}

interface EditableToolCall {
  readonly name: string;
  /** Pretty-printed; invalid JSON is kept as the model wrote it. */
  readonly arguments: string;
}

/** Undefined if the tape has no such interaction. */
export function editableResponse(file: TapeFile, interaction: number): EditableResponse | undefined {
  const found = detectFormat(file)?.read(file).interactions[interaction];
  return found && editableFields(found);
}

/** The same of an interaction. */
export function editableFields({ response, http }: Pick<Interaction, 'response' | 'http'>): EditableResponse {
  return { ...responseFields(response), ...(http?.status === undefined ? {} : { status: http.status }) };
}

function responseFields(response: ChatResponse | undefined): EditableResponse {
  if (response === undefined || response.error !== undefined) return { reasoning: [], calls: [] };
  const { content, toolCalls, usage } = response;
  return {
    ...(content === null ? {} : { text: content }),
    reasoning: reasoningPartsOf(response).map(({ text }) => text),
    calls: toolCalls.map(editableToolCall),
    ...(usage && { usage: { promptTokens: usage.promptTokens, completionTokens: usage.completionTokens } }),
  };
}

function editableToolCall({ name, arguments: args }: ToolCall): EditableToolCall {
  return { name, arguments: typeof args === 'string' ? args : prettyJson(args) };
}
