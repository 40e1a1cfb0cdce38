import { prettyJson } from '../../json/json';
import { reasoningOf } from '../../wire/answerChange';
import { detectFormat } from '../readTape';
import type { ChatResponse, ToolCall, Usage } from '../tape';
import type { TapeFile } from '../tapeFile';

/** What of a recorded answer can be changed, with the values that it has. Plain data, sent to the webview as it is. */
export interface EditableAnswer {
  /** Absent where the answer has no text. */
  readonly text?: string;
  readonly reasoning: readonly string[];
  readonly calls: readonly EditableCall[];
  readonly usage?: Pick<Usage, 'promptTokens' | 'completionTokens'>;
  /** Of HTTP, where it was recorded. */
  readonly status?: number;
}

export interface EditableCall {
  readonly name: string;
  /** Laid out; what is no JSON is as the model wrote it. */
  readonly arguments: string;
}

/** Undefined where the tape has no such interaction. */
export function editableAnswer(file: TapeFile, interaction: number): EditableAnswer | undefined {
  const found = detectFormat(file)?.read(file).interactions[interaction];
  if (found === undefined) return undefined;
  const { response, http } = found;
  return { ...answerOf(response), ...(http?.status === undefined ? {} : { status: http.status }) };
}

function answerOf(response: ChatResponse | undefined): EditableAnswer {
  if (response === undefined || response.error !== undefined) return { reasoning: [], calls: [] };
  const { content, toolCalls, usage } = response;
  return {
    ...(content === null ? {} : { text: content }),
    reasoning: reasoningOf(response).map(({ text }) => text),
    calls: toolCalls.map(editableCall),
    ...(usage && { usage: { promptTokens: usage.promptTokens, completionTokens: usage.completionTokens } }),
  };
}

function editableCall({ name, arguments: args }: ToolCall): EditableCall {
  return { name, arguments: typeof args === 'string' ? args : prettyJson(args) };
}
