import type { Json } from '../../json/json';
import { pythonJson } from '../../json/pythonJson';
import { toNode } from '../../json/toNode';
import { present } from '../../wire/fields';
import type { RecordedInteraction } from '../tapeFormat';
import { writeAnswer, writeChatMessage, writeTool, writeUsage } from './openaiWrite';
import { completionKey, embeddingKey, keyComponents, promptPreview, type ReynCall } from './reynKeys';

/** A whole fixture: completions and embeddings under the keys that Reyn would look them up by. */
export function writeReyn(_name: string, interactions: readonly RecordedInteraction[]): string {
  return interactions
    .flatMap((interaction) => writeEntry(interaction) ?? [])
    .map((entry) => `${oneLine(entry)}\n`)
    .join('');
}

/** As Reyn writes it, but for the characters at which Python would end the line. */
function oneLine(entry: Json): string {
  return pythonJson(toNode(entry), { ensureAscii: false }).replace(
    /[\x85\u2028\u2029]|\p{Surrogate}/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Calls of tools and plain HTTP have no place in a fixture. */
function writeEntry(interaction: RecordedInteraction): Json | undefined {
  if (interaction.kind === 'embedding') return writeEmbedding(interaction);
  return interaction.kind === undefined || interaction.kind === 'llm' ? writeCompletion(interaction) : undefined;
}

function writeCompletion({ request, response }: RecordedInteraction): Json {
  const model = request?.model ?? response?.model ?? '';
  const choice = request?.params.tool_choice;
  const call: ReynCall = {
    model,
    messages: (request?.messages ?? []).map(writeChatMessage).map(toNode),
    tools: (request?.tools ?? []).map(writeTool).map(toNode),
    ...(typeof choice === 'string' ? { toolChoice: choice } : {}),
  };
  return {
    key: completionKey(call) ?? '',
    kind: 'completion',
    model,
    prompt_preview: promptPreview(call.messages),
    preconditions: { mcp_catalog: { servers: [], tools: [] } },
    key_components: { ...keyComponents(call) },
    response: writeAnswer(response),
  };
}

function writeEmbedding({ request, response }: RecordedInteraction): Json {
  const model = request?.model ?? response?.model ?? '';
  const inputs = (request?.messages ?? []).map(({ content }) => content ?? '');
  const usage = response?.usage && writeUsage(response.usage);
  return {
    key: embeddingKey(model, inputs) ?? '',
    kind: 'embedding',
    model,
    prompt_preview: Array.from(inputs[0] ?? '')
      .slice(0, 200)
      .join(''),
    response: present({ model, data: [], object: 'list', usage }) as Json,
  };
}
