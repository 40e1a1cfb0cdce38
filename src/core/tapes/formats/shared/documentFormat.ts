import { hasMembers, readTextDocument } from '../../../documents/textDocument';
import type { JsonNode } from '../../../json/jsonNode';
import type { NodeReader } from '../../../json/nodeReader';
import { readJson } from '../../../json/readJson';
import type { Tape } from '../../../model/tape';
import type { Problem, Span } from '../../../text/source';
import type { TextParts } from '../../../text/textParts';
import type { TapeFormat } from '../../format';
import { type InteractionContent, interactionProblems, jsonTreeBytes, LazyInteraction, LazyTape } from '../../lazyTape';
import { type TapeFile, textParts } from '../../tapeFile';
import { hasMark, type Mark } from './marks';

/**
 * What a format is whose files are one document with a list of interactions, in JSON, or in YAML or TOML too where it has no `syntax`. How
 * it is recognised and read follows from that (`documentFormat`); whatever else a format has is stated as it is.
 */
export interface DocumentDescription<R extends NodeReader>
  extends Omit<TapeFormat, 'extensions' | 'looksLike' | 'read'> {
  /** The extensions of its files, without the dot. */
  readonly files: readonly string[];
  /** What all of its files have, and no others: members at the top, which broken files have too, and what is in these. */
  readonly marks: Mark;
  /** Whether a text is a tape without interactions, where such a tape lacks the marks. */
  isEmpty?(text: TextParts): boolean;
  /** Makes what reads its nodes, and reports what is wrong in them. */
  reader(): R;
  /** What a document says, and where its interactions are. */
  document(reader: R, root: JsonNode, file: TapeFile): DocumentReading<R>;
}

export interface DocumentReading<R> {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly entries: readonly DocumentEntry<R>[];
}

/** An interaction, and its place in the document. */
export interface DocumentEntry<R> {
  readonly place: Span;
  read(reader: R): InteractionContent;
}

/** The format of a description. */
export function documentFormat<R extends NodeReader, D extends Partial<TapeFormat>>(
  description: D & DocumentDescription<R>,
): D & TapeFormat;
export function documentFormat<R extends NodeReader>(description: DocumentDescription<R>): TapeFormat {
  return {
    ...description,
    extensions: description.files,
    looksLike: (file) => looksLike(description, textParts(file)),
    read: (file) => read(description, file),
  };
}

function looksLike<R extends NodeReader>({ marks, isEmpty }: DocumentDescription<R>, text: TextParts): boolean {
  return hasMark(text, { has: (path) => hasMembers(text, path) }, marks) || isEmpty?.(text) === true;
}

function read<R extends NodeReader>(description: DocumentDescription<R>, file: TapeFile): Tape {
  const { id: format, syntax, reader: newReader, document } = description;
  const [root, broken] = rootOf(textParts(file), syntax);
  if (root === undefined) return { format, interactions: [], problems: broken };
  const reader = newReader();
  const { name, version, entries } = document(reader, root, file);
  const interactions = entries.map(
    (entry, index) =>
      new LazyInteraction(index, entry.place, () => {
        const own = newReader();
        return { content: entry.read(own), problems: own.problems };
      }),
  );
  return new LazyTape({ format, name, version, interactions, weight: jsonTreeBytes(root) }, () =>
    // After a syntax error, missing fields are only a consequence of it.
    broken.length > 0 ? broken : [...reader.problems, ...interactionProblems(interactions)],
  );
}

/** The document of a text, the first of several, and where its syntax is broken. */
function rootOf(text: TextParts, syntax: TapeFormat['syntax']): [JsonNode | undefined, readonly Problem[]] {
  if (syntax === 'json') {
    const { value, problems } = readJson(text);
    return [value, problems];
  }
  const { roots, problems } = readTextDocument(text);
  return [roots[0], problems];
}
