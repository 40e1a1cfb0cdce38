import type { JsonNode } from '../../../json/jsonNode';
import { ARRAY, NodeReader, STRING } from '../../../json/nodeReader';
import { message, t } from '../../../text/l10n';
import type { InteractionContent } from '../../lazyTape';
import { any } from '../../marks';
import { documentFormat } from '../shared/documentFormat';
import { stringAt } from '../shared/httpTape';

const FAULTS =
  /^ +["']?(?:tool_faults|llm_faults|context_attacks)["']?[ \t]*:|"(?:tool_faults|llm_faults|context_attacks)"\s*:/m;

/**
 * Flakestorm's configurations and chaos profiles, which are kept beside its replay sessions. They record nothing:
 * golden prompts are shown as steps without a response, and a profile has no steps.
 */
export const flakestormConfigFormat = documentFormat({
  id: 'flakestorm-config',
  label: 'Flakestorm configuration',
  family: 'script',
  files: ['yaml', 'yml', 'json'],
  marks: any(['agent', 'golden_prompts'], ['name', 'chaos', FAULTS]),
  reader: () => new NodeReader(),
  document(reader, root) {
    const prompts = root.type === 'object' ? reader.optional(root, 'golden_prompts', ARRAY) : undefined;
    return {
      name: stringAt(root, 'name'),
      version: stringAt(root, 'version'),
      entries: (prompts ?? []).map((node) => ({ place: node, read: (own) => readPrompt(own, node) })),
    };
  },
  // What is done to the agent, and sessions that it is to repeat.
  isBeside: (name) => name === 'chaos' || name === 'contract' || name === 'replays' || name === 'request_template',
  notWritableReason: message(
    'It configures a test run and has no place for recorded responses. Convert to a replay session (flakestorm) instead.',
  ),
});

function readPrompt(reader: NodeReader, node: JsonNode): InteractionContent {
  const content = reader.expect(node, STRING, t('a golden prompt')) ?? null;
  return { kind: 'script', request: { messages: [{ role: 'user', content, toolCalls: [] }], tools: [], params: {} } };
}
