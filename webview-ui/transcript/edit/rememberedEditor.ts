import type { EditableResponse } from '../../../src/core/tapes/edits/editableResponse';
import { pageState } from '../../base/pageState';
import type { Draft } from './draft';
import type { OpenEditor } from './editing';

/** What was typed outlives hiding and reloading the page. */
export function keepEditor(editor: OpenEditor | undefined): void {
  pageState.set('editor', editor);
}

/** What an earlier page has left behind. */
export function rememberedEditor(): OpenEditor | undefined {
  const kept = pageState.get('editor');
  if (!isRecord(kept) || !Number.isSafeInteger(kept.interaction)) return undefined;
  if (!isAnswer(kept.answer) || !isDraft(kept.draft)) return undefined;
  return { interaction: Number(kept.interaction), answer: kept.answer, draft: kept.draft };
}

function isDraft(value: unknown): value is Draft {
  return isRecord(value) && Object.values(value).every((text) => typeof text === 'string');
}

function isAnswer(value: unknown): value is EditableResponse {
  return isRecord(value) && Array.isArray(value.reasoning) && Array.isArray(value.calls);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
