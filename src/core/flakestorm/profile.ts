import { readTextDocument, rootObject } from '../tapes/formats/textDocument';
import { NodeReader, RECORD, TEXT } from '../tapes/nodeReader';
import type { Reading } from '../text/source';
import { type Chaos, readFaults } from './chaos';

/** A named set of faults, as Flakestorm ships some. */
export interface Profile {
  readonly name: string;
  readonly chaos: Chaos;
}

export function readProfile(text: string): Reading<Profile> {
  const document = readTextDocument(text);
  const root = rootObject(document);
  if (root === undefined || document.problems.length > 0) return { value: undefined, problems: document.problems };
  const reader = new NodeReader();
  const name = reader.nullable(root, 'name', TEXT) ?? '';
  const chaos = reader.required(root, 'chaos', RECORD, 'Add chaos: with tool_faults, llm_faults or context_attacks.');
  const { problems } = reader;
  const value = chaos === undefined ? undefined : { name, chaos: readFaults(reader, chaos) };
  return { value: problems.length === 0 ? value : undefined, problems };
}
