import type { Json } from '../../json/json';
import { type JsonMember, type JsonNode, type JsonObjectNode, member } from '../../json/jsonDocument';
import { NEW_REQUEST } from '../../wire/emptyCall';
import { type InteractionReading, LazyInteraction, LazyTape, problemsIn } from '../lazyTape';
import type { Tape } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { EditOutcome, TapeFormat, TextEdit } from '../tapeFormat';
import { writing } from './holdings';
import { ifItFits } from './jsonHttpEdit';
import { ScenarioReader, type ScriptedAnswer } from './mofaScenarioModel';
import { SCRIPTED, writeMofaScenario } from './mofaScenarioWrite';
import { replaceText, textItem, textMember } from './replaceText';
import { hasMembers, readTextDocument } from './textDocument';

/**
 * MoFA's scenario specs (mofa-org/mofa, pull requests 1287 and 1455) in YAML or JSON: what a mock model answers to prompts
 * that contain something, and what mock tools return. Each scripted answer is an interaction.
 */
export const mofaScenarioFormat = {
  id: 'mofa-scenario',
  label: 'MoFA scenario',
  looksLike,
  read,
  ...writing(SCRIPTED, writeMofaScenario),
  isScript: true,
  edit: (file, edit) => ifItFits(file, editScenario(file, edit)),
  emptyItem,
} satisfies TapeFormat;

function looksLike({ text }: TapeFile): boolean {
  if (!hasMembers(text, 'suite_name')) return false;
  return ['llm', 'expectations', 'tools', 'bus', 'clock'].some((key) => hasMembers(text, key));
}

interface Scenario {
  readonly root: JsonObjectNode | undefined;
  readonly answers: readonly ScriptedAnswer[];
}

function read({ text }: TapeFile): Tape {
  const document = readTextDocument(text);
  const reader = new ScenarioReader();
  const { root, answers } = readScenario(document.roots, reader);
  const name = [member(root, 'case_name'), member(root, 'suite_name')].find((node) => node?.type === 'string');
  const interactions = answers.map(
    (scripted, index) => new LazyInteraction(index, scripted.answer ?? scripted.node, () => readAnswer(scripted)),
  );
  return new LazyTape(
    {
      format: 'mofa-scenario',
      ...(name?.type === 'string' ? { name: name.value } : {}),
      interactions,
    },
    () => (document.problems.length > 0 ? document.problems : [...reader.problems, ...problemsIn(interactions)]),
  );
}

function readAnswer(scripted: ScriptedAnswer): InteractionReading {
  const reader = new ScenarioReader();
  return { content: scripted.read(reader), problems: reader.problems };
}

function readScenario([root]: readonly JsonNode[], reader: ScenarioReader): Scenario {
  if (root === undefined) return { root: undefined, answers: [] };
  const object = reader.record(root, 'a scenario');
  return { root: object, answers: object === undefined ? [] : reader.scenario(object) };
}

function editScenario({ text }: TapeFile, { interaction, text: answer }: TextEdit): EditOutcome {
  const document = readTextDocument(text);
  const scripted = readScenario(document.roots, new ScenarioReader()).answers[interaction];
  const place = scripted && placeOf(text, scripted);
  if (place === undefined) return { refused: 'This step has no response that is a text.' };
  const splice = replaceText(text, document.syntax, place, answer);
  return splice === undefined
    ? { refused: 'This text cannot be written here.' }
    : { splices: [splice], dependents: [] };
}

/** The text of an answer; undefined where it has none. */
function placeOf(text: string, { node, key, item, answer }: ScriptedAnswer): JsonMember | undefined {
  if (item) return textItem(text, answer);
  return key === undefined ? undefined : textMember(node, key);
}

/** An answer, a further one of a sequence, or what a tool returns. The fallback is only one, and failures answer nothing. */
function emptyItem({ text }: TapeFile, interaction: number): Json | undefined {
  const scripted = readScenario(readTextDocument(text).roots, new ScenarioReader()).answers[interaction];
  if (scripted?.item) return '';
  if (scripted?.key === 'response') return { prompt_substring: NEW_REQUEST, response: '' };
  return scripted?.key === 'text' ? { text: '' } : undefined;
}
