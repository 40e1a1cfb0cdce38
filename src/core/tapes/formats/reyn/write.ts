import { omitUndefined } from '../../../json/fields';
import { isRecord, type Json } from '../../../json/json';
import { toNode } from '../../../json/jsonNode';
import { pythonJson } from '../../../json/pythonJson';
import type { RecordedInteraction } from '../../../model/interaction';
import type { ChatRequest, Message } from '../../../model/message';
import { message } from '../../../text/l10n';
import { decodeBody } from '../../../wire/body/body';
import { allVectors } from '../../../wire/embeddings/index';
import { writeChatMessage, writeChatResponse, writeChatTool, writeChatUsage } from '../../../wire/openaiChat/write';
import type { WritableSubset } from '../../format';
import { completionKey, embeddingKey, keyComponents, promptPreview, type ReynCall, toolEnvironment } from './keys';

/** A request that is missing or incomplete has no key that Reyn would look up. */
export const WRITABLE_ENTRIES: WritableSubset = {
  description: message('completions and embeddings whose whole request is known, embeddings with their vectors'),
  select: (interactions) =>
    interactions.filter((one) => {
      const { kind = 'llm', request } = one;
      return isWhole(request) && (kind === 'llm' || (kind === 'embedding' && recordedVectors(one).length > 0));
    }),
};

function recordedVectors({ http }: RecordedInteraction): readonly (readonly number[])[] {
  const json = http && decodeBody(http.responseBody, http.responseHeaders).json;
  return json === undefined ? [] : allVectors(json);
}

function isWhole(request: ChatRequest | undefined): boolean {
  return request !== undefined && request.messages.length > 0 && request.partial === undefined;
}

/** A whole fixture: completions and embeddings under the keys by which Reyn finds them. */
export function writeReyn(_name: string, interactions: readonly RecordedInteraction[]): string {
  return interactions
    .map((one) => `${writeLine(one.kind === 'embedding' ? writeEmbedding(one) : writeCompletion(one))}\n`)
    .join('');
}

/** JSON as Reyn writes it, with the characters escaped at which Python would end the line. */
function writeLine(entry: Json): string {
  return pythonJson(toNode(entry), { ensureAscii: false }).replace(
    /[\x85\u2028\u2029]|\p{Surrogate}/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function writeCompletion({ request, response }: RecordedInteraction): Json {
  const model = request?.model ?? response?.model ?? '';
  const choice = request?.params.tool_choice;
  const call: ReynCall = {
    model,
    messages: (request?.messages ?? []).map(writeMessage).map(toNode),
    tools: (request?.tools ?? []).map(writeChatTool).map(toNode),
    ...(typeof choice === 'string' ? { toolChoice: choice } : {}),
  };
  return {
    key: completionKey(call) ?? '',
    kind: 'completion',
    model,
    prompt_preview: promptPreview(call.messages),
    preconditions: { mcp_catalog: { ...toolEnvironment(call.tools) } },
    key_components: { ...keyComponents(call) },
    response: writeChatResponse(response),
  };
}

/** The key is made of the message as it was sent, with a list of texts where it had one. */
function writeMessage(message: Message): Json {
  const written = writeChatMessage(message);
  const texts = (message.parts ?? []).flatMap((part) =>
    part.type === 'text' ? [{ type: 'text', text: part.text }] : [],
  );
  const isList = texts.length > 1 && texts.length === message.parts?.length;
  return isList && isRecord(written) ? { ...written, content: texts } : written;
}

function writeEmbedding(interaction: RecordedInteraction): Json {
  const { request, response } = interaction;
  const model = request?.model ?? response?.model ?? '';
  const inputs = (request?.messages ?? []).map(({ content }) => content ?? '');
  const usage = response?.usage && writeChatUsage(response.usage);
  const data = recordedVectors(interaction).map((vector, index) => ({
    embedding: [...vector],
    index,
    object: 'embedding',
  }));
  return {
    key: embeddingKey(model, inputs) ?? '',
    kind: 'embedding',
    model,
    prompt_preview: Array.from(inputs[0] ?? '')
      .slice(0, 200)
      .join(''),
    response: omitUndefined({ model, data, object: 'list', usage }) as Json,
  };
}
