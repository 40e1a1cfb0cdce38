import assert from 'node:assert/strict';
import type { Interaction } from '../../../../src/core/model/interaction';
import type { Tape } from '../../../../src/core/model/tape';
import { redactValue } from '../../../../src/core/secrets/redactTape';
import { editTape } from '../../../../src/core/tapes/edits/editTape';
import type { ListEdit, RedactEdit, TapeEdit } from '../../../../src/core/tapes/format';
import { detectFormat } from '../../../../src/core/tapes/readTape';
import type { TapeFile } from '../../../../src/core/tapes/tapeFile';
import { applySplices, invertSplices, type Splice } from '../../../../src/core/text/splice';

export interface Edited {
  readonly text: string;
  readonly dependents: readonly string[];
  readonly tape: Tape;
}

/**
 * Makes an edit and checks what every edit has to keep: what is outside of its ranges stays, the new file reads as what was
 * asked for and as nothing else, and the inverse brings the old file back. Returns why, where the edit was refused.
 */
export function checkEdit(file: TapeFile, edit: Exclude<TapeEdit, RedactEdit>): Edited | string {
  const format = detectFormat(file);
  assert.ok(format);
  const before = format.read(file);
  const outcome = editTape(file, edit, redactValue);
  if ('refused' in outcome) return outcome.refused;
  const { splices, dependents } = outcome;
  const text = applySplices(file.text, splices);
  assert.equal(applySplices(text, invertSplices(file.text, splices)), file.text, 'undo');
  const tape = format.read({ ...file, text });
  if (isListEdit(edit)) checkList(before, tape, edit);
  else {
    if (dependents.length === 0) checkInside(splices, before.interactions[edit.interaction]);
    assert.equal(tape.interactions.length, before.interactions.length);
    for (const { index } of before.interactions)
      if (index !== edit.interaction)
        assert.deepEqual(alone(tape, index), alone(before, index), `interaction ${index}`);
    checkResponse(before.interactions[edit.interaction], tape.interactions[edit.interaction], edit);
  }
  return { text, dependents, tape };
}

function isListEdit(edit: TapeEdit): edit is ListEdit {
  return ['delete', 'duplicate', 'add', 'move'].includes(edit.type);
}

function checkInside(splices: readonly Splice[], interaction: Interaction | undefined): void {
  const { start, end } = interaction?.source ?? { start: 0, end: 0 };
  for (const splice of splices) assert.ok(splice.start >= start && splice.end <= end, 'outside of its interaction');
}

/** The content of an interaction without its position. */
function alone({ interactions }: Tape, index: number): unknown {
  const { source: _s, index: _i, ...interaction } = interactions[index] ?? { source: 0, index: 0 };
  return interaction;
}

function recording({ interactions }: Tape, index: number): unknown {
  const { kind, http, response } = interactions[index] ?? {};
  return { kind, http, response };
}

function checkList(before: Tape, after: Tape, edit: ListEdit): void {
  const order = before.interactions.map(({ index }) => index);
  const { interaction } = edit;
  const own = order.splice(interaction, 1);
  if (edit.type === 'duplicate') order.splice(interaction, 0, ...own, ...own);
  if (edit.type === 'move') order.splice(interaction + edit.by, 0, ...own);
  const places = after.interactions.map(({ index }) => index);
  if (edit.type === 'add') {
    order.splice(interaction, 0, ...own);
    const [added = -1] = places.splice(interaction + 1, 1);
    const { kind, response } = after.interactions[added] ?? {};
    assert.equal(response?.content ?? '', '');
    const wanted = before.interactions[interaction]?.kind;
    assert.equal(kind, wanted === 'environment' ? 'llm' : wanted);
  }
  assert.deepEqual(
    places.map((index) => recording(after, index)),
    order.map((index) => recording(before, index)),
  );
}

function checkResponse(before: Interaction | undefined, after: Interaction | undefined, edit: TapeEdit): void {
  const was = before?.response;
  const is = after?.response;
  const same = (...names: readonly ('content' | 'toolCalls' | 'usage' | 'finishReason' | 'error')[]): void => {
    for (const name of names) assert.deepEqual(bare(is?.[name]), bare(was?.[name]), name);
  };
  switch (edit.type) {
    case 'response-text':
      assert.equal(is?.content, edit.text);
      same('toolCalls', 'usage', 'finishReason', 'error');
      break;
    case 'status':
      assert.equal(after?.http?.status, edit.status);
      break;
    case 'usage':
      assert.equal(is?.usage?.promptTokens, edit.usage.promptTokens ?? was?.usage?.promptTokens);
      assert.equal(is?.usage?.completionTokens, edit.usage.completionTokens ?? was?.usage?.completionTokens);
      same('content', 'toolCalls', 'finishReason', 'error');
      break;
    case 'arguments':
      assert.deepEqual(is?.toolCalls[edit.call]?.arguments, JSON.parse(edit.json));
      assert.deepEqual(
        is?.toolCalls.filter((_, index) => index !== edit.call),
        was?.toolCalls.filter((_, index) => index !== edit.call),
      );
      same('content', 'usage', 'finishReason', 'error');
      break;
    default:
      same('content', 'toolCalls', 'usage', 'finishReason', 'error');
  }
}

function bare(value: unknown): unknown {
  return value === null ? '' : value;
}
