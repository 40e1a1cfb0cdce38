import { replaceText, textItem, textMember } from '../../../documents/replaceText';
import { hasMembers, readTextDocument } from '../../../documents/textDocument';
import type { Json } from '../../../json/json';
import type { JsonMember, JsonNode, JsonObjectNode } from '../../../json/jsonNode';
import { member } from '../../../json/readJson';
import type { Tape } from '../../../model/tape';
import { t } from '../../../text/l10n';
import { NEW_REQUEST_TEXT } from '../../../wire/protocol';
import type { EditOutcome, TapeFormat, TapeTextEdit } from '../../format';
import { type InteractionReading, interactionProblems, LazyInteraction, LazyTape } from '../../lazyTape';
import { type TapeFile, textParts } from '../../tapeFile';
import { writeSubset } from '../../writableFormat';
import { refuseUnencodable } from '../shared/editHttpTape';
import { ScenarioReader, type ScriptedResponse } from './read';
import { WRITABLE_STEPS, writeMofaScenario } from './write';

/**
 * MoFA's scenario specs (mofa-org/mofa, pull requests 1287 and 1455) in YAML or JSON: the responses of a mock model to
 * prompts that contain a text, and the results of mock tools. Each scripted response is an interaction.
 */
export const mofaScenarioFormat = {
  id: 'mofa-scenario',
  label: 'MoFA scenario',
  family: 'script',
  extensions: ['yaml', 'yml', 'json'],
  looksLike,
  read,
  ...writeSubset(WRITABLE_STEPS, writeMofaScenario),
  isHandWritten: true,
  editText: (file, edit) => refuseUnencodable(file, editScenario(file, edit)),
  emptyItem,
} satisfies TapeFormat;

function looksLike(file: TapeFile): boolean {
  const text = textParts(file);
  if (!hasMembers(text, 'suite_name')) return false;
  return ['llm', 'expectations', 'tools', 'bus', 'clock'].some((key) => hasMembers(text, key));
}

interface Scenario {
  readonly root: JsonObjectNode | undefined;
  readonly responses: readonly ScriptedResponse[];
}

function read(file: TapeFile): Tape {
  const text = textParts(file);
  const document = readTextDocument(text);
  const reader = new ScenarioReader();
  const { root, responses } = readScenario(document.roots, reader);
  const name = [member(root, 'case_name'), member(root, 'suite_name')].find((node) => node?.type === 'string');
  const interactions = responses.map(
    (scripted, index) => new LazyInteraction(index, scripted.response ?? scripted.node, () => readResponse(scripted)),
  );
  return new LazyTape(
    {
      format: 'mofa-scenario',
      ...(name?.type === 'string' ? { name: name.value } : {}),
      interactions,
    },
    () =>
      document.problems.length > 0 ? document.problems : [...reader.problems, ...interactionProblems(interactions)],
  );
}

function readResponse(scripted: ScriptedResponse): InteractionReading {
  const reader = new ScenarioReader();
  return { content: scripted.read(reader), problems: reader.problems };
}

function readScenario([root]: readonly JsonNode[], reader: ScenarioReader): Scenario {
  if (root === undefined) return { root: undefined, responses: [] };
  const object = reader.record(root, t('a scenario'));
  return { root: object, responses: object === undefined ? [] : reader.scenario(object) };
}

function editScenario({ text }: TapeFile, { interaction, text: newText }: TapeTextEdit): EditOutcome {
  const document = readTextDocument(text);
  const scripted = readScenario(document.roots, new ScenarioReader()).responses[interaction];
  const place = scripted && responseTextMember(text, scripted);
  if (place === undefined) return { refused: t('The response of this step is not a text.') };
  const splice = replaceText(text, document.syntax, place, newText);
  return splice === undefined
    ? { refused: t('The new text cannot be written in this place. Change it in the text editor.') }
    : { splices: [splice], dependents: [] };
}

/** The text of a response; undefined if it has none. */
function responseTextMember(text: string, { node, key, item, response }: ScriptedResponse): JsonMember | undefined {
  if (item) return textItem(text, response);
  return key === undefined ? undefined : textMember(node, key);
}

/**
 * Copies a response, an item of a sequence, or a tool result. A fallback exists only once, and failures have no
 * response.
 */
function emptyItem({ text }: TapeFile, interaction: number): Json | undefined {
  const scripted = readScenario(readTextDocument(text).roots, new ScenarioReader()).responses[interaction];
  if (scripted?.item) return '';
  if (scripted?.key === 'response') return { prompt_substring: NEW_REQUEST_TEXT, response: '' };
  return scripted?.key === 'text' ? { text: '' } : undefined;
}
