import { hasMembers, readTextDocument, rootObject } from '../../../documents/textDocument';
import type { JsonNode } from '../../../json/jsonNode';
import { ARRAY, NodeReader, STRING } from '../../../json/nodeReader';
import { member } from '../../../json/readJson';
import type { Interaction } from '../../../model/interaction';
import type { Tape } from '../../../model/tape';
import { message, t } from '../../../text/l10n';
import type { TapeFormat } from '../../format';
import { type TapeFile, textParts } from '../../tapeFile';

/**
 * Flakestorm's configurations and chaos profiles, which are kept beside its replay sessions. They record nothing:
 * golden prompts are shown as steps without a response, and a profile has no steps.
 */
export const flakestormConfigFormat = {
  id: 'flakestorm-config',
  label: 'Flakestorm configuration',
  family: 'script',
  extensions: ['yaml', 'yml', 'json'],
  looksLike,
  read,
  notWritableReason: message(
    'It configures a test run and has no place for recorded responses. Convert to a replay session (flakestorm) instead.',
  ),
} satisfies TapeFormat;

const FAULTS =
  /^ +["']?(?:tool_faults|llm_faults|context_attacks)["']?[ \t]*:|"(?:tool_faults|llm_faults|context_attacks)"\s*:/m;

function looksLike(file: TapeFile): boolean {
  const text = textParts(file);
  if (hasMembers(text, 'agent', 'golden_prompts')) return true;
  return hasMembers(text, 'name', 'chaos') && FAULTS.test(file.text);
}

function read(file: TapeFile): Tape {
  const text = textParts(file);
  const document = readTextDocument(text);
  const root = rootObject(document);
  const reader = new NodeReader();
  const prompts = root === undefined ? [] : (reader.optional(root, 'golden_prompts', ARRAY) ?? []);
  const name = member(root, 'name');
  const version = member(root, 'version');
  return {
    format: 'flakestorm-config',
    ...(name?.type === 'string' ? { name: name.value } : {}),
    ...(version?.type === 'string' ? { version: version.value } : {}),
    interactions: prompts.map((node, index) => readPrompt(node, index, reader)),
    problems: document.problems.length > 0 ? document.problems : reader.problems,
  };
}

function readPrompt(node: JsonNode, index: number, reader: NodeReader): Interaction {
  const content = reader.expect(node, STRING, t('a golden prompt')) ?? null;
  return {
    index,
    kind: 'script',
    request: { messages: [{ role: 'user', content, toolCalls: [] }], tools: [], params: {} },
    source: { start: node.start, end: node.end },
  };
}
