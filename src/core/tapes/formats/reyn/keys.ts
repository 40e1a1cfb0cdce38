import { sha256Hex } from '../../../hash/digest';
import { type JsonNode, type JsonObjectNode, toNode } from '../../../json/jsonNode';
import { nodeAt } from '../../../json/jsonPath';
import { pythonJson } from '../../../json/pythonJson';
import { member } from '../../../json/readJson';
import type { RequestDigests } from '../../../model/message';

/**
 * The keys of Reyn's fixtures (tya5/reyn, `dev/testing/replay.py` and `replay_key_diff.py`): hashes of the output of
 * Python's `json.dumps(value, sort_keys=True, ensure_ascii=False)`. Python cannot encode half a surrogate pair: there
 * is no key then, and these functions return undefined.
 */

/**
 * The parts of a request. Values are nodes, because 1.0 and 1 have different keys; `toNode` makes a node of any value.
 */
export interface ReynCall {
  readonly model: string;
  readonly messages: readonly JsonNode[];
  readonly tools?: readonly JsonNode[];
  readonly toolChoice?: string;
}

/** The key of a completion. Without tools and tool choice it has its original form, which has no separators. */
export function completionKey({ model, messages, tools = [], toolChoice = '' }: ReynCall): string | undefined {
  const conversation = canonicalList(messages);
  if (tools.length === 0 && toolChoice === '') return hash(model + conversation);
  return hash(`${model}|${conversation}|${canonicalList(tools.map(withoutEnvironment))}|${toolChoice}`);
}

/** The key of an embedding; a single input counts as a list of one. */
export function embeddingKey(model: string, input: string | readonly string[]): string | undefined {
  const inputs = typeof input === 'string' ? [input] : input;
  return hash(`embed|${model}|${canonicalList(inputs.map(toNode))}`);
}

/** The key of a request in the shape of OpenAI's Chat Completions or Embeddings, with the model as litellm names it. */
export function reynKeyOf(
  body: JsonNode,
  kind: 'llm' | 'embedding',
  model: string = textAt(body, 'model') ?? '',
): string | undefined {
  if (kind === 'llm') {
    const toolChoice = textAt(body, 'tool_choice');
    const call = { model, messages: itemsAt(body, 'messages'), tools: itemsAt(body, 'tools') };
    return completionKey(toolChoice === undefined ? call : { ...call, toolChoice });
  }
  const input = member(body, 'input');
  const inputs = input?.type === 'array' ? input.items : input === undefined ? [] : [input];
  return embeddingKey(
    model,
    inputs.flatMap((item) => (item.type === 'string' ? [item.value] : [])),
  );
}

function textAt(body: JsonNode, key: string): string | undefined {
  const node = member(body, key);
  return node?.type === 'string' ? node.value : undefined;
}

function itemsAt(body: JsonNode, key: string): readonly JsonNode[] {
  const node = member(body, key);
  return node?.type === 'array' ? node.items : [];
}

/** The digests of the parts of a call, which explain a missed key. */
interface KeyComponents {
  readonly model: string;
  readonly tool_choice: string;
  /** `role:digest` */
  readonly messages: readonly string[];
  /** By the name of the tool; over the whole tool, including the parts that the key leaves out. */
  readonly tools: Readonly<Record<string, string>>;
}

/** The digests of a request in the shape of OpenAI's Chat Completions. */
export function digestReynRequest(body: JsonNode): RequestDigests {
  const model = textAt(body, 'model') ?? '';
  const toolChoice = textAt(body, 'tool_choice') ?? '';
  const { messages, tools } = keyComponents({
    model,
    messages: itemsAt(body, 'messages'),
    tools: itemsAt(body, 'tools'),
  });
  return { model, toolChoice, messages, tools };
}

export function keyComponents({ model, messages, tools = [], toolChoice = '' }: ReynCall): KeyComponents {
  return {
    model,
    tool_choice: toolChoice,
    messages: messages.map((message) => `${roleOf(message)}:${digest(message)}`),
    tools: Object.fromEntries(tools.map((tool, index) => [toolName(tool, index), digest(tool)])),
  };
}

/** The first 12 digits of the hash of a value. */
export function digest(value: JsonNode): string {
  return hash(canonical(value))?.slice(0, 12) ?? '';
}

/** The beginning of the last message, in code points: the only text of the request that a fixture stores. */
export function promptPreview(messages: readonly JsonNode[]): string {
  const last = messages.at(-1);
  if (last === undefined) return '';
  const content = member(last, 'content') ?? toNode('');
  const text = content.type === 'array' ? content.items.map(blockText).join(' ') : pythonText(content);
  return Array.from(text).slice(0, 200).join('');
}

function blockText(block: JsonNode): string {
  return block.type === 'object' ? pythonText(member(block, 'text') ?? toNode('')) : pythonText(block);
}

/** `str(value)`, for the values that occur here. */
function pythonText(node: JsonNode): string {
  if (node.type === 'string') return node.value;
  if (node.type === 'literal') return node.value === null ? 'None' : node.value ? 'True' : 'False';
  return canonical(node);
}

function canonical(value: JsonNode): string {
  return pythonJson(value, { sortKeys: true, ensureAscii: false });
}

function canonicalList(items: readonly JsonNode[]): string {
  return `[${items.map(canonical).join(', ')}]`;
}

function hash(text: string): string | undefined {
  return /\p{Surrogate}/u.test(text) ? undefined : sha256Hex(text);
}

function roleOf(message: JsonNode): string {
  return message.type === 'object' ? pythonText(member(message, 'role') ?? toNode(null)) : '?';
}

function toolName(tool: JsonNode, index: number): string {
  const name = nodeAt(tool, ['function', 'name']);
  return name?.type === 'string' && name.value !== '' ? name.value : `<tool #${index}>`;
}

/** The servers and tools that a call could choose from: Reyn refuses to replay a call with different ones. */
interface ToolEnvironment {
  readonly servers: readonly string[];
  readonly tools: readonly string[];
}

/** The choices of the original tools, without duplicates, in order of appearance (`replay_preconditions.py`). */
export function toolEnvironment(tools: readonly JsonNode[] = []): ToolEnvironment {
  const choices = (parameter: string): string[] => {
    const found = tools.map((tool) => nodeAt(tool, ['function', 'parameters', 'properties', parameter, 'enum']));
    return [...new Set(found.flatMap((list) => (list?.type === 'array' ? list.items.map(pythonText) : [])))];
  };
  return { servers: choices(SERVER), tools: choices(TOOL) };
}

const SERVER = 'server';
const TOOL = 'mcp_tool_name';
/** The parameters whose choices depend on the servers and tools of the machine. */
const ENVIRONMENT_PARAMETERS = [SERVER, TOOL];

function withoutEnvironment(tool: JsonNode): JsonNode {
  return updateAt(tool, ['function', 'parameters', 'properties'], (properties) =>
    ENVIRONMENT_PARAMETERS.reduce<JsonNode>((rest, name) => updateAt(rest, [name], withoutChoices), properties),
  );
}

function withoutChoices(parameter: JsonObjectNode): JsonNode {
  return { ...parameter, members: parameter.members.filter(({ key }) => key !== 'enum') };
}

/** The value with the object at `path` changed; unchanged if there is no such object. */
function updateAt(node: JsonNode, path: readonly string[], change: (object: JsonObjectNode) => JsonNode): JsonNode {
  if (node.type !== 'object') return node;
  const [name, ...rest] = path;
  if (name === undefined) return change(node);
  const members = node.members.map((one) =>
    one.key === name ? { ...one, value: updateAt(one.value, rest, change) } : one,
  );
  return { ...node, members };
}
