import { omitUndefined } from '../../../json/fields';
import { compactJson, type Json, prettyJson } from '../../../json/json';
import type { JsonNode, JsonObjectNode } from '../../../json/jsonNode';
import { ANY_JSON, ARRAY, NodeReader, STRING } from '../../../json/nodeReader';
import { exactValue, member } from '../../../json/readJson';
import type { RecordedInteraction } from '../../../model/interaction';
import type { ChatRequest, ChatResponse } from '../../../model/message';
import { textMember } from '../../../syntax/replaceText';
import { message, t } from '../../../text/l10n';
import { tomlDocument } from '../../../toml/writeToml';
import { NEW_REQUEST_TEXT } from '../../../wire/protocol';
import { writeYaml } from '../../../yaml/writeYaml';
import type { Destination, WritableSubset } from '../../format';
import { any } from '../../marks';
import { writeSubset } from '../../writableFormat';
import { type DocumentEntry, documentFormat } from '../shared/documentFormat';
import { type Dialects, writeDocument } from '../shared/writeDocument';

/** A turn without a response has no expectations. */
const WRITABLE_TURNS: WritableSubset = {
  description: message('turns of a conversation'),
  select: (interactions) => interactions.filter(({ kind = 'llm' }) => kind === 'llm' || kind === 'script'),
};

/** An agent scenario that expects the recorded response and tool calls of each turn exactly. */
function writeAgentScenario(
  name: string,
  turns: readonly RecordedInteraction[],
  into: Destination | undefined,
): string {
  const system = turns[0]?.request?.messages.find(({ role }) => role === 'system')?.content ?? undefined;
  const tools = new Set(turns.flatMap(({ request }) => request?.tools ?? []).map((tool) => tool.name));
  const document = {
    agent_id: name.trim() === '' ? 'agent' : name,
    system_prompt: system,
    tools: [...tools],
    turns: turns.map(({ request, response }) => ({
      user: request?.messages.findLast(({ role }) => role === 'user')?.content ?? '',
      expect: response === undefined ? [] : expectations(response),
    })),
  };
  return writeDocument(document, into, DIALECTS);
}

const DIALECTS: Dialects = {
  recorded: ['json', 'yaml', 'toml'],
  json: (scenario) => `${prettyJson(scenario)}\n`,
  yaml: (scenario) => writeYaml(scenario, { binaryColumns: 76, binaryTag: '!!binary |', blocks: true }),
  toml: tomlDocument,
};

function expectations({ content, toolCalls }: ChatResponse): Json[] {
  const calls = toolCalls.map((call) => ({ kind: 'call_tool_with', name: call.name, arguments: call.arguments }));
  const hasResponse = content !== null && (content !== '' || calls.length === 0);
  return hasResponse ? [...calls, { kind: 'respond_exact', text: content }] : calls;
}

/**
 * MoFA's agent scenarios in YAML, TOML or JSON (mofa-org/mofa, pull requests 1600 and, with parameters, 1606): the
 * turns of a conversation with the expectations of each. They record no response, but a turn may expect an exact one.
 */
export const mofaAgentScenarioFormat = documentFormat({
  id: 'mofa-agent-scenario',
  label: 'MoFA agent scenario',
  family: 'script',
  // What an answer has to have is no answer.
  isBeside: (name) => name === 'expect',
  files: ['yaml', 'yml', 'toml', 'json'],
  marks: any(['agent_id', 'turns'], ['template', /["']?agent_id["']?\s*[:=]/, /\bturns\b/]),
  reader: () => new AgentScenarioReader(),
  document: (reader, root) => ({ name: textOf(scenarioOf(root), 'agent_id'), entries: reader.turns(root) }),
  ...writeSubset(WRITABLE_TURNS, writeAgentScenario),
  isHandWritten: true,
  noText: message('This turn expects no exact response, so it has no text to change.'),
  emptyItem: () => ({ user: NEW_REQUEST_TEXT, expect: [{ kind: 'respond_exact', text: '' }] }),
});

/** A scenario with parameters has its content in a template. */
function scenarioOf(root: JsonNode): JsonNode {
  return member(root, 'template') ?? root;
}

class AgentScenarioReader extends NodeReader {
  turns(root: JsonNode): DocumentEntry<NodeReader>[] {
    const scenario = this.record(scenarioOf(root), t('a scenario'));
    if (scenario === undefined) return [];
    const id = this.required(scenario, 'agent_id', STRING, t('Use `agent_id` with the name of the agent.'));
    if (id?.trim() === '')
      this.report(member(scenario, 'agent_id') ?? scenario, t('`agent_id` must not be blank'), t('Name the agent.'));
    const system = this.nullable(scenario, 'system_prompt', STRING);
    const tools = this.texts(scenario, 'tools', t('the name of a tool'));
    const items = this.required(scenario, 'turns', ARRAY, t('Add at least one turn.')) ?? [];
    const list = member(scenario, 'turns');
    if (list?.type === 'array' && items.length === 0)
      this.report(list, t('a scenario needs at least one turn'), t('Add one.'));
    this.#parameters(root);
    const systemMessages = system === undefined ? [] : [{ role: 'system', content: system, toolCalls: [] }];
    const names = tools.map((name) => ({ name }));
    return items.map((node) => this.#turn(node, { messages: systemMessages, tools: names, params: {} }));
  }

  #parameters(root: JsonNode): void {
    if (member(root, 'template') === undefined) return;
    for (const set of this.records(root, 'parameters', t('a set of parameters')))
      this.required(set, 'name', STRING, t('Name the set of parameters.'));
  }

  #turn(node: JsonNode, base: ChatRequest): DocumentEntry<NodeReader> {
    const turn = this.record(node, t('a turn'));
    if (turn === undefined) return { place: node, read: () => ({ kind: 'script' }) };
    const user = this.required(turn, 'user', STRING, t('Use `user` with the message of the user.')) ?? null;
    const expected = [
      ...this.records(turn, 'expect', t('an expectation')),
      ...this.records(turn, 'expectations', t('an expectation')),
    ];
    const expectations = expected.map((one) => this.#expectation(one)).filter((words) => words !== '');
    const exact = expected.find((one) => textOf(one, 'kind') === 'respond_exact');
    const content = exact === undefined ? undefined : textOf(exact, 'text');
    const others = expected.filter((one) => one !== exact);
    const said = omitUndefined({
      kind: 'script' as const,
      declared: others.length === 0 ? undefined : { expectations: others.map(exactValue) },
      request: { ...base, messages: [...base.messages, { role: 'user', content: user, toolCalls: [] }] },
      response: content === undefined ? undefined : { content, toolCalls: [] },
      summary: expectations.length === 0 ? undefined : `expects ${expectations.join('; ')}`,
    });
    return { place: node, read: () => said, text: () => textMember(exact, 'text') };
  }

  /** The description of an expectation. */
  #expectation(node: JsonObjectNode): string {
    const kind = this.required(
      node,
      'kind',
      STRING,
      t('Use the kind of the expectation, such as `respond_containing`.'),
    );
    const text = (key: string): string => this.required(node, key, STRING, t('Add `{0}`.', key)) ?? '';
    switch (kind) {
      case 'call_tool':
        return `a call of ${text('name')}`;
      case 'call_tool_with':
        return `a call of ${text('name')} with ${compactJson(this.required(node, 'arguments', ANY_JSON, t('Use {0}.', '{}')) ?? {})}`;
      case 'not_call_any_tool':
        return 'no tool call';
      case 'respond_containing':
        return `a response containing ${JSON.stringify(text('text'))}`;
      case 'respond_exact':
        return `exactly ${JSON.stringify(text('text'))}`;
      case 'respond_matching_regex':
        return `a response matching /${text('pattern')}/`;
      case undefined:
        return '';
      default:
        this.report(member(node, 'kind') ?? node, t('unknown kind of expectation: {0}', kind), t(KINDS));
        return compactJson(exactValue(node));
    }
  }
}

const KINDS = message(
  'There are call_tool, call_tool_with, not_call_any_tool, respond_containing, respond_exact and respond_matching_regex.',
);

function textOf(node: JsonNode, key: string): string | undefined {
  const found = member(node, key);
  return found?.type === 'string' ? found.value : undefined;
}
