import { stringifyStringLike } from '../../../json/editJson';
import type { JsonMember, JsonNode } from '../../../json/jsonNode';
import type { NodeReader } from '../../../json/nodeReader';
import { member, readJson } from '../../../json/readJson';
import type { Tape } from '../../../model/tape';
import { replaceText } from '../../../syntax/replaceText';
import { hasMembers, readTextDocument, type Syntax } from '../../../syntax/textDocument';
import { t } from '../../../text/l10n';
import type { Problem, Span } from '../../../text/source';
import type { Splice } from '../../../text/splice';
import type { TextParts } from '../../../text/textParts';
import type { EditOutcome, TapeFormat, TapeTextEdit } from '../../format';
import {
  type InteractionContent,
  type InteractionReading,
  interactionProblems,
  jsonTreeBytes,
  LazyInteraction,
  LazyTape,
} from '../../lazyTape';
import { hasMark, type Mark } from '../../marks';
import { unreadDocuments } from '../../notRead';
import { type TapeFile, textParts } from '../../tapeFile';
import { refuseUnencodable } from './editHttpTape';

/**
 * What a format is whose files are one document with a list of interactions, in JSON, or in YAML or TOML too where it has no `syntax`. How
 * it is recognised and read follows from that (`documentFormat`); whatever else a format has is stated as it is.
 */
interface DocumentDescription<R extends NodeReader> extends Omit<TapeFormat, 'extensions' | 'looksLike' | 'read'> {
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
  /** What to say of an interaction whose text cannot be changed, as it has none: a message. Absent if no text is changed like this. */
  readonly noText?: string;
}

export interface DocumentReading<R> {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  /** The number of records in the document, if an interaction consists of several. */
  readonly records?: number | undefined;
  readonly entries: DocumentEntries<R>;
}

type DocumentEntries<R> = Pick<readonly DocumentEntry<R>[], 'length' | 'at'>;

/** The entries of a list, each made when it is asked for: of a tape with very many, they would take as much memory as the tape. */
export function entriesOf<T, R>(items: readonly T[], make: (item: T) => DocumentEntry<R>): DocumentEntries<R> {
  const at = (index: number): DocumentEntry<R> | undefined => {
    const item = items.at(index);
    return item === undefined ? undefined : make(item);
  };
  return { length: items.length, at };
}

/** An interaction, and its place in the document. */
export interface DocumentEntry<R> {
  readonly place: Span;
  read(reader: R): InteractionContent;
  /** The member that holds the text of its response, if one does. */
  text?(): JsonMember | undefined;
}

/** The version that a document has as a number, as it is written. */
export function versionOf(root: JsonNode): string | undefined {
  const version = member(root, 'version');
  return version?.type === 'number' ? version.lexeme : undefined;
}

/** The format of a description. */
export function documentFormat<R extends NodeReader, D extends Partial<TapeFormat>>(
  description: D & DocumentDescription<R>,
): D & TapeFormat & (D extends { readonly noText: string } ? Required<Pick<TapeFormat, 'editText'>> : unknown);
export function documentFormat<R extends NodeReader>(description: DocumentDescription<R>): TapeFormat {
  return {
    ...description,
    extensions: description.files,
    looksLike: (file) => looksLike(description, textParts(file)),
    read: (file) => read(description, file),
    ...(description.noText !== undefined && {
      editText: (file, edit) => refuseUnencodable(file, editText(description, file, edit)),
    }),
  };
}

function looksLike<R extends NodeReader>({ marks, isEmpty }: DocumentDescription<R>, text: TextParts): boolean {
  return hasMark(text, { has: (path) => hasMembers(text, path) }, marks) || isEmpty?.(text) === true;
}

function read<R extends NodeReader>(description: DocumentDescription<R>, file: TapeFile): Tape {
  const { id: format, reader: newReader, document } = description;
  const { root, problems: broken } = parse(description, textParts(file));
  if (root === undefined) return { format, interactions: [], problems: broken };
  const reader = newReader();
  const { name, version, records, entries } = document(reader, root, file);
  const readEntry = (index: number): InteractionReading => {
    const own = newReader();
    return { content: entries.at(index)?.read(own) ?? { kind: 'llm' }, problems: own.problems };
  };
  const interactions = Array.from({ length: entries.length }, (_, index) => {
    const place = entries.at(index)?.place ?? root;
    return new LazyInteraction(index, place, () => readEntry(index));
  });
  return new LazyTape({ format, name, version, records, interactions, weight: jsonTreeBytes(root) }, () =>
    // After a syntax error, missing fields are only a consequence of it.
    broken.length > 0 ? broken : [...reader.problems, ...interactionProblems(interactions)],
  );
}

function editText<R extends NodeReader>(
  description: DocumentDescription<R>,
  file: TapeFile,
  { interaction, text }: TapeTextEdit,
): EditOutcome {
  const { reader, document, noText = '' } = description;
  const { root, syntax } = parse(description, file.text);
  const place = root && document(reader(), root, file).entries.at(interaction)?.text?.();
  if (place === undefined) return { refused: t(noText) };
  const splice =
    description.syntax === 'json'
      ? jsonSplice(file.text, place.value, text)
      : replaceText(file.text, syntax, place, text);
  return splice === undefined
    ? { refused: t('The new text cannot be written in this place. Change it in the text editor.') }
    : { splices: [splice], dependents: [] };
}

/** JSON has a form for every text, so that none needs to be read back. */
function jsonSplice(source: string, { start, end }: Span, text: string): Splice {
  return { start, end, text: stringifyStringLike(text, source.slice(start, end)) };
}

interface Parsed {
  readonly syntax: Syntax;
  /** The first of several documents. */
  readonly root: JsonNode | undefined;
  readonly problems: readonly Problem[];
}

function parse({ syntax }: Pick<TapeFormat, 'syntax'>, text: TextParts): Parsed {
  if (syntax === 'json') {
    const { value, problems } = readJson(text);
    return { syntax, root: value, problems };
  }
  const { roots, problems, ...document } = readTextDocument(text);
  return { ...document, root: roots[0], problems: [...problems, ...unreadDocuments(roots)] };
}
