import { prettyJson } from '../../../json/json';
import type { JsonNode } from '../../../json/jsonNode';
import { ANY_JSON, ARRAY, NodeReader, STRING } from '../../../json/nodeReader';
import type { RecordedInteraction } from '../../../model/interaction';
import type { ToolCall } from '../../../model/message';
import { textMember } from '../../../syntax/replaceText';
import { message, t } from '../../../text/l10n';
import type { InteractionContent } from '../../lazyTape';
import { MODEL_RESPONSES, writeSubset } from '../../writableFormat';
import { documentFormat, entriesOf } from '../shared/documentFormat';

/**
 * MoFA's golden responses (mofa-org/mofa, pull request 1607): the responses and tool calls of an agent, turn by turn.
 * Calls have no ids, and the input of a turn is not compared.
 */
export const mofaGoldenFormat = documentFormat({
  id: 'mofa-golden',
  label: 'MoFA golden response',
  family: 'script',
  files: ['json'],
  syntax: 'json',
  marks: ['test_name', 'turns'],
  reader: () => new GoldenReader(),
  document(reader, root) {
    const name = reader.required(root, 'test_name', STRING, t('Use "test_name" with the name of the test.'));
    const turns = reader.required(root, 'turns', ARRAY, t('Use "turns": [ … ].')) ?? [];
    const entries = entriesOf(turns, (node) => ({
      place: node,
      read: (own: GoldenReader) => own.turn(node),
      text: () => textMember(node, 'response'),
    }));
    return { name, entries };
  },
  ...writeSubset(MODEL_RESPONSES, serialise),
  noText: message('The response of this turn is not a text.'),
});

class GoldenReader extends NodeReader {
  turn(node: JsonNode): InteractionContent {
    if (!this.record(node, t('a turn'))) return { kind: 'script' };
    const input =
      this.required(node, 'user_input', STRING, t('Use "user_input" with the message of the user.')) ?? null;
    const content = this.required(node, 'response', STRING, t('Use "response" with the text of the response.')) ?? null;
    return {
      kind: 'script',
      request: { messages: [{ role: 'user', content: input, toolCalls: [] }], tools: [], params: {} },
      response: { content, toolCalls: this.#toolCalls(node) },
    };
  }

  #toolCalls(node: JsonNode): ToolCall[] {
    return this.records(node, 'tool_calls', t('a tool call'), t('Use [] for a turn without tool calls.')).map(
      (call) => ({
        id: '',
        name: this.required(call, 'name', STRING, t('Use the name of the tool.')) ?? '',
        arguments: this.required(call, 'arguments', ANY_JSON, t('Use {} for a call without arguments.')) ?? null,
      }),
    );
  }
}

/** A golden file as serde writes it. Each response is a turn, with only the last user message. */
function serialise(name: string, interactions: readonly RecordedInteraction[]): string {
  return prettyJson({
    test_name: name,
    turns: interactions.map(({ request, response }) => ({
      user_input: request?.messages.findLast(({ role }) => role === 'user')?.content ?? '',
      response: response?.content ?? '',
      tool_calls: (response?.toolCalls ?? []).map((call) => ({ name: call.name, arguments: call.arguments })),
    })),
    metadata: {},
  });
}
