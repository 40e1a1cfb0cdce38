import type { TranscriptEntry } from './transcript';

/** A text of an entry by its name: what a search looks through and where it points. */
export interface EntryPart {
  readonly id: string;
  readonly text: string;
}

/** Everything there is to read in an entry, in the order it is shown. */
export function partsOf({ asides = [], text, toolCalls, error = '' }: TranscriptEntry): readonly EntryPart[] {
  return [
    ...asides.map((aside, index) => ({ id: `aside${index}.text`, text: aside.text })),
    { id: 'text', text },
    ...toolCalls.flatMap((call, index) => [
      { id: `call${index}.name`, text: call.name },
      { id: `call${index}.arguments`, text: call.arguments },
      { id: `call${index}.result`, text: call.result ?? '' },
    ]),
    { id: 'error', text: error },
  ].filter((part) => part.text !== '');
}
