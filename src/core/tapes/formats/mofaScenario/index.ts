import type { Json } from '../../../json/json';
import type { JsonMember, JsonNode } from '../../../json/jsonNode';
import { textItem, textMember } from '../../../syntax/replaceText';
import { readTextDocument } from '../../../syntax/textDocument';
import { message, t } from '../../../text/l10n';
import { NEW_REQUEST_TEXT } from '../../../wire/protocol';
import { any } from '../../marks';
import type { TapeFile } from '../../tapeFile';
import { writeSubset } from '../../writableFormat';
import { documentFormat } from '../shared/documentFormat';
import { stringAt } from '../shared/httpTape';
import { ScenarioReader, type ScriptedResponse } from './read';
import { WRITABLE_STEPS, writeMofaScenario } from './write';

/**
 * MoFA's scenario specs (mofa-org/mofa, pull requests 1287 and 1455) in YAML or JSON: the responses of a mock model to
 * prompts that contain a text, and the results of mock tools. Each scripted response is an interaction.
 */
export const mofaScenarioFormat = documentFormat({
  id: 'mofa-scenario',
  label: 'MoFA scenario',
  family: 'script',
  isBeside: (name) => name === 'expectations',
  files: ['yaml', 'yml', 'json'],
  marks: ['suite_name', any('llm', 'expectations', 'tools', 'bus', 'clock')],
  reader: () => new ScenarioReader(),
  document(reader, root, file) {
    const entries = responsesIn(root, reader).map((scripted) => ({
      place: scripted.response ?? scripted.node,
      read: scripted.read,
      text: () => responseTextMember(file.text, scripted),
    }));
    return { name: stringAt(root, 'case_name') ?? stringAt(root, 'suite_name'), entries };
  },
  ...writeSubset(WRITABLE_STEPS, writeMofaScenario),
  isHandWritten: true,
  noText: message('The response of this step is not a text.'),
  emptyItem,
});

function responsesIn(root: JsonNode | undefined, reader: ScenarioReader): readonly ScriptedResponse[] {
  const scenario = root && reader.record(root, t('a scenario'));
  return scenario === undefined ? [] : reader.scenario(scenario);
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
  const [root] = readTextDocument(text).roots;
  const scripted = responsesIn(root, new ScenarioReader())[interaction];
  if (scripted?.item) return '';
  if (scripted?.key === 'response') return { prompt_substring: NEW_REQUEST_TEXT, response: '' };
  return scripted?.key === 'text' ? { text: '' } : undefined;
}
