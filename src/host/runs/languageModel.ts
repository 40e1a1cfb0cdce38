import * as vscode from 'vscode';
import type { ChatParams } from '../../contracts/engine/engine';
import type { Json } from '../../core/json/json';
import type { ChatResponse, Message, ToolCall, ToolDefinition } from '../../core/model/message';
import { t } from '../../core/text/l10n';

/**
 * Sends a request to a language model of the editor. VS Code asks for consent the first time. Rejects with a message
 * for the user: there is no such model, the user declined, or the model refused.
 */
export async function askLanguageModel(
  { model, messages, tools }: ChatParams,
  signal: AbortSignal,
): Promise<ChatResponse> {
  const chosen = await chooseModel(model);
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const justification = t('Tapedeck records a case with this model.');
    const options = { justification, tools: tools.map(chatTool) };
    const response = await chosen.sendRequest(messages.map(chatMessage), options, source.token);
    return await collectResponse(response, chosen);
  } catch (error) {
    throw describeError(error, chosen);
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}

/** `vendor/family`, a family or an id. */
async function chooseModel(name: string | undefined): Promise<vscode.LanguageModelChat> {
  const [vendor, family] = name?.includes('/') ? name.split('/', 2) : [undefined, name];
  const selectors =
    name === undefined ? [{}] : [{ ...(vendor && { vendor }), ...(family && { family }) }, { id: name }];
  for (const selector of selectors) {
    const [model] = await vscode.lm.selectChatModels(selector);
    if (model !== undefined) return model;
  }
  const known = (await vscode.lm.selectChatModels()).map((model) => `${model.vendor}/${model.family}`);
  const available =
    known.length > 0
      ? t('Available models: {0}.', [...new Set(known)].join(', '))
      : t('No models are available: install an extension that provides one.');
  throw new Error(`this editor has no language model${name === undefined ? '' : ` ${name}`}. ${available}`);
}

/** VS Code has only user and assistant messages, so a system prompt is sent as the user's. */
function chatMessage({ role, content, toolCalls, toolCallId }: Message): vscode.LanguageModelChatMessage {
  const text = content === null || content === '' ? [] : [new vscode.LanguageModelTextPart(content)];
  if (role === 'assistant') {
    const calls = toolCalls.map(
      ({ id, name, arguments: input }) => new vscode.LanguageModelToolCallPart(id, name, asObject(input)),
    );
    return vscode.LanguageModelChatMessage.Assistant([...text, ...calls]);
  }
  if (role !== 'tool') return vscode.LanguageModelChatMessage.User(text);
  return vscode.LanguageModelChatMessage.User([new vscode.LanguageModelToolResultPart(toolCallId ?? '', text)]);
}

function asObject(input: Json): object {
  return typeof input === 'object' && input !== null ? input : {};
}

function chatTool({ name, description = '', schema }: ToolDefinition): vscode.LanguageModelChatTool {
  return { name, description, ...(typeof schema === 'object' && schema !== null && { inputSchema: schema }) };
}

async function collectResponse(
  { stream }: vscode.LanguageModelChatResponse,
  { id }: vscode.LanguageModelChat,
): Promise<ChatResponse> {
  let text = '';
  const toolCalls: ToolCall[] = [];
  for await (const part of stream) {
    if (part instanceof vscode.LanguageModelTextPart) text += part.value;
    if (part instanceof vscode.LanguageModelToolCallPart)
      toolCalls.push({ id: part.callId, name: part.name, arguments: part.input as Json });
  }
  return {
    content: text === '' ? null : text,
    toolCalls,
    model: id,
    finishReason: toolCalls.length > 0 ? 'tool_calls' : 'stop',
  };
}

function describeError(error: unknown, { name }: vscode.LanguageModelChat): Error {
  const reason = error instanceof Error ? error.message : String(error);
  if (!(error instanceof vscode.LanguageModelError)) return new Error(`${name} did not respond: ${reason}`);
  if (error.code === vscode.LanguageModelError.NoPermissions.name)
    return new Error(`Tapedeck was not allowed to use ${name}`);
  if (error.code === vscode.LanguageModelError.Blocked.name)
    return new Error(`${name} is currently blocked: ${reason}`);
  return new Error(`${name} refused: ${reason}`);
}
