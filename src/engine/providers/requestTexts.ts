import { prettyJson } from '../../core/json/json';

/** A recorded request and the one that was asked instead, as pretty JSON, for a diff. */
export interface RequestTexts {
  readonly recorded: string;
  readonly asked: string;
}

const MOST_TO_COMPARE = 400_000;

/** None where they are too long to be shown side by side. */
export function requestTexts(recorded: unknown, asked: unknown): RequestTexts | undefined {
  const texts = { recorded: prettyJson(recorded), asked: prettyJson(asked) };
  return texts.recorded.length + texts.asked.length > MOST_TO_COMPARE ? undefined : texts;
}
