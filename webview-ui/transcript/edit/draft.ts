import type { EditableResponse } from '../../../src/core/tapes/edits/editableResponse';
import type { TapeEdit } from '../../../src/core/tapes/format';
import { escapeInvisible } from '../../../src/core/text/escapeInvisible';
import { t } from '../../../src/core/text/l10n';

/** The texts of an editor by the id of their field. Fields that the response does not have are absent. */
export type Draft = Readonly<Record<string, string>>;

export interface Field {
  readonly id: string;
  readonly label: string;
  readonly kind: 'text' | 'json' | 'number';
}

/** The editable fields of a response, in the order in which they are shown. */
export function fieldsOf({ text, reasoning, calls, usage, status }: EditableResponse): readonly Field[] {
  const many = reasoning.length > 1;
  return [
    ...reasoning.map((_, part) =>
      field(`reasoning${part}`, many ? t('Reasoning {0}', part + 1) : t('Reasoning'), 'text'),
    ),
    ...(text === undefined ? [] : [field('text', t('Response'), 'text')]),
    ...calls.map(({ name, arguments: args }, call) =>
      // Arguments that the model wrote as broken JSON may stay broken.
      field(
        `call${call}`,
        name === '' ? t('Arguments of the unnamed tool') : t('Arguments of {0}', escapeInvisible(name)),
        isJson(args) ? 'json' : 'text',
      ),
    ),
    ...(usage === undefined
      ? []
      : [field('promptTokens', t('Tokens in'), 'number'), field('completionTokens', t('Tokens out'), 'number')]),
    ...(status === undefined ? [] : [field('status', t('HTTP status'), 'number')]),
  ];
}

function field(id: string, label: string, kind: Field['kind']): Field {
  return { id, label, kind };
}

/** The response as it is before anything is typed. */
export function draftOf({ text, reasoning, calls, usage, status }: EditableResponse): Draft {
  return {
    ...Object.fromEntries(reasoning.map((text, part) => [`reasoning${part}`, text])),
    ...(text === undefined ? {} : { text }),
    ...Object.fromEntries(calls.map((call, index) => [`call${index}`, call.arguments])),
    ...(usage && { promptTokens: `${usage.promptTokens}`, completionTokens: `${usage.completionTokens}` }),
    ...(status === undefined ? {} : { status: `${status}` }),
  };
}

/** Why the value of a field is not valid, as a sentence; undefined if it is. */
export function problemOf({ kind, id }: Field, value: string): string | undefined {
  if (kind === 'number') return numberProblem(id, value);
  return kind === 'json' ? jsonProblem(value) : undefined;
}

function jsonProblem(value: string): string | undefined {
  try {
    JSON.parse(value);
    return undefined;
  } catch (error) {
    return t('Not valid JSON: {0}.', error instanceof Error ? error.message : String(error));
  }
}

function numberProblem(id: string, value: string): string | undefined {
  if (id === 'status')
    return /^[1-9]\d\d$/.test(value) ? undefined : t('Enter a three-digit status code, such as 429.');
  return /^\d{1,9}$/.test(value) ? undefined : t('Enter the number of tokens as a whole number.');
}

/** The edits that turn the response into the draft; none if nothing was changed. */
export function editsOf(interaction: number, response: EditableResponse, draft: Draft): readonly TapeEdit[] {
  const before = draftOf(response);
  const changed = (id: string): string | undefined => (draft[id] === before[id] ? undefined : draft[id]);
  const edits: TapeEdit[] = [];
  const text = changed('text');
  if (text !== undefined) edits.push({ type: 'response-text', interaction, text });
  response.reasoning.forEach((_, part) => {
    const reasoning = changed(`reasoning${part}`);
    if (reasoning !== undefined) edits.push({ type: 'reasoning', interaction, part, text: reasoning });
  });
  response.calls.forEach((_, call) => {
    const json = changed(`call${call}`);
    if (json !== undefined) edits.push({ type: 'arguments', interaction, call, json });
  });
  const counts = ['promptTokens', 'completionTokens'].flatMap((name) => {
    const count = changed(name);
    return count === undefined ? [] : [[name, Number(count)] as const];
  });
  if (counts.length > 0) edits.push({ type: 'usage', interaction, usage: Object.fromEntries(counts) });
  // Last: with a failing status, the response can no longer be edited as a message.
  const status = changed('status');
  if (status !== undefined) edits.push({ type: 'status', interaction, status: Number(status) });
  return edits;
}

export function isJson(text: string): boolean {
  return jsonProblem(text) === undefined;
}
