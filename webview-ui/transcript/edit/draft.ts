import type { EditableResponse } from '../../../src/core/tapes/edits/editableResponse';
import type { TapeEdit } from '../../../src/core/tapes/format';
import { escapeInvisible } from '../../../src/core/text/escapeInvisible';

/** An answer as it is being changed: what was typed, by field. Fields that the answer does not have are absent. */
export type Draft = Readonly<Record<string, string>>;

export interface Field {
  /** In the draft. */
  readonly id: string;
  readonly label: string;
  readonly kind: 'text' | 'json' | 'number';
}

/** What can be changed of an answer, in the order in which it is shown. */
export function fieldsOf({ text, reasoning, calls, usage, status }: EditableResponse): readonly Field[] {
  const many = reasoning.length > 1;
  return [
    ...reasoning.map((_, part): Field => {
      return { id: `reasoning${part}`, label: many ? `Reasoning ${part + 1}` : 'Reasoning', kind: 'text' };
    }),
    ...(text === undefined ? [] : [{ id: 'text', label: 'Answer', kind: 'text' } satisfies Field]),
    ...calls.map(({ name, arguments: args }, call): Field => {
      // What the model got wrong may stay wrong.
      return {
        id: `call${call}`,
        label: `Arguments of ${escapeInvisible(name) || 'the call'}`,
        kind: isJson(args) ? 'json' : 'text',
      };
    }),
    ...(usage === undefined
      ? []
      : [
          { id: 'promptTokens', label: 'Tokens in', kind: 'number' } satisfies Field,
          { id: 'completionTokens', label: 'Tokens out', kind: 'number' } satisfies Field,
        ]),
    ...(status === undefined ? [] : [{ id: 'status', label: 'HTTP status', kind: 'number' } satisfies Field]),
  ];
}

export function draftOf({ text, reasoning, calls, usage, status }: EditableResponse): Draft {
  return {
    ...Object.fromEntries(reasoning.map((said, part) => [`reasoning${part}`, said])),
    ...(text === undefined ? {} : { text }),
    ...Object.fromEntries(calls.map((call, index) => [`call${index}`, call.arguments])),
    ...(usage && { promptTokens: `${usage.promptTokens}`, completionTokens: `${usage.completionTokens}` }),
    ...(status === undefined ? {} : { status: `${status}` }),
  };
}

/** What keeps a field from being applied, as a sentence. */
export function problemOf({ kind, id }: Field, value: string): string | undefined {
  if (kind === 'number') return numberProblem(id, value);
  if (kind === 'text') return undefined;
  try {
    JSON.parse(value);
    return undefined;
  } catch (error) {
    return `This is no JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`;
  }
}

function numberProblem(id: string, value: string): string | undefined {
  if (id === 'status') return /^[1-9]\d\d$/.test(value) ? undefined : 'A status has three digits, such as 429.';
  return /^\d{1,9}$/.test(value) ? undefined : 'This is a count of tokens: a whole number.';
}

/** The edits that make the answer what the draft says; none where nothing was changed. */
export function editsOf(interaction: number, answer: EditableResponse, draft: Draft): readonly TapeEdit[] {
  const before = draftOf(answer);
  const changed = (id: string): string | undefined => (draft[id] === before[id] ? undefined : draft[id]);
  const edits: TapeEdit[] = [];
  const text = changed('text');
  if (text !== undefined) edits.push({ type: 'response-text', interaction, text });
  answer.reasoning.forEach((_, part) => {
    const said = changed(`reasoning${part}`);
    if (said !== undefined) edits.push({ type: 'reasoning', interaction, part, text: said });
  });
  answer.calls.forEach((_, call) => {
    const json = changed(`call${call}`);
    if (json !== undefined) edits.push({ type: 'arguments', interaction, call, json });
  });
  const counts = ['promptTokens', 'completionTokens'].flatMap((name) => {
    const count = changed(name);
    return count === undefined ? [] : [[name, Number(count)] as const];
  });
  if (counts.length > 0) edits.push({ type: 'usage', interaction, usage: Object.fromEntries(counts) });
  // A failure is read as one: the status comes last, when the answer has been changed.
  const status = changed('status');
  if (status !== undefined) edits.push({ type: 'status', interaction, status: Number(status) });
  return edits;
}

function isJson(text: string): boolean {
  return problemOf({ id: '', label: '', kind: 'json' }, text) === undefined;
}
