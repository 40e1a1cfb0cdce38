import { jsonEqual } from '../../../json/json';
import { headLines, readLineNodes, startsWithObjectLine } from '../../../json/jsonLines';
import type { JsonNode } from '../../../json/jsonNode';
import { beginningOutline, jsonOutline, looksLikeJson } from '../../../json/jsonOutline';
import { readJson } from '../../../json/readJson';
import type { HttpExchange } from '../../../model/http';
import type { Tape } from '../../../model/tape';
import { t } from '../../../text/l10n';
import type { ParseResult, Problem } from '../../../text/source';
import { applySplices, keepLineEnd, type Splice } from '../../../text/splice';
import { type TextParts, wholeText } from '../../../text/textParts';
import { readYaml } from '../../../yaml/readYaml';
import type { YamlWriter } from '../../../yaml/replaceYamlScalar';
import type { DependentEdits, EditOutcome, TapeFormat, TapeResponseEdit } from '../../format';
import { withProblems } from '../../lazyTape';
import { beginsWith, hasMark, type Mark, outlineOf } from '../../marks';
import { unreadDocuments } from '../../notRead';
import { encodingProblems, type TapeFile, textParts } from '../../tapeFile';
import { HTTP_EXCHANGES, type WritableFormat, writeSubset } from '../../writableFormat';
import {
  editHttpTape,
  followHttpTape,
  followRequestIds,
  hasOpaqueIds,
  type RequestIds,
  refuseUnencodable,
} from './editHttpTape';
import {
  type BodyContext,
  entriesOf,
  type HttpLayout,
  type HttpPlaces,
  readHttpTape,
  readStoredExchange,
  USUAL_PLACES,
} from './httpTape';
import { jsonStrings, plainBody, type StoredBody, type WriteString, yamlStrings } from './storedBody';

/** What a format that stores HTTP is. How it is recognised, read, edited and written follows from that (`httpFormat`). */
export interface HttpDescription
  extends Omit<HttpLayout, 'at' | 'requestBody' | 'responseBody'>,
    Pick<TapeFormat, MembersAsTheyAre> {
  /** The extensions of its files, without the dot. */
  readonly files: readonly string[];
  /** The first member of its files in YAML, by which most other files are told from them at once. */
  readonly begins?: readonly string[];
  /** What all of its files have, and no others. */
  readonly marks: Mark;
  /** Whether a text is a tape without interactions, where such a tape lacks the marks. */
  isEmpty?(text: TextParts): boolean;
  /** What else holds for its texts, where marks do not tell them from those of another format. */
  isOwn?(text: TextParts): boolean;
  /** Where the parts of an exchange stand, as far as that differs from the usual places. */
  readonly at?: Partial<HttpPlaces>;
  /** How a body is stored. By default a string is the body, and anything else is a body of JSON that was parsed. */
  body?(place: BodyContext): StoredBody;
  /** The same for requests alone. */
  requestBody?(place: BodyContext): StoredBody;
  /** The same for responses alone. */
  responseBody?(place: BodyContext): StoredBody;
  /** Converts the documents of a file to one tree in which all parts are in these places. Nodes keep their spans. */
  shape?(documents: readonly JsonNode[]): JsonNode | undefined;
  /** Each exchange is a document of YAML. Otherwise a file has one. */
  readonly hasDocuments?: true;
  /** How its recorder lays out strings in YAML. Absent: its files are JSON. */
  readonly yaml?: YamlWriter;
  /** Each line of its files is a document: the tree is the list of them; `maybe`: in some files, others are one document. */
  readonly isLines?: true | 'maybe';
  /** What is wrong with a tape as a whole. */
  problems?(file: TapeFile, tape: Tape): readonly Problem[];
  /** The ids by which its recorder finds requests: each follows its request, if the recorder made it of what is on the tape. */
  readonly ids?: RequestIds;
  /** Writes a new tape as its recorder does. */
  readonly write?: Required<TapeFormat>['serialise'];
  /** Nothing is written into its files. */
  readonly isReadOnly?: true;
}

/** The members of a format that its description states as they are. */
type MembersAsTheyAre =
  | 'label'
  | 'syntax'
  | 'ownEndings'
  | 'servesInOrder'
  | 'servesAgain'
  | 'servesParts'
  | 'tested'
  | 'newFileName'
  | 'playedWith'
  | 'needsDates'
  | 'attached'
  | 'notWritableReason'
  | 'isReadWhole'
  | 'editList'
  | 'appendText'
  | 'emptyItem';

/** The format of a description. */
export function httpFormat<D extends HttpDescription>(description: D): FormatOf<D>;
export function httpFormat(description: HttpDescription): TapeFormat {
  const { files, problems, ids, write, yaml, isReadOnly } = description;
  const tapes = new HttpTapes(description);
  return {
    ...description,
    family: 'http',
    extensions: files,
    ...(yaml === undefined && { syntax: 'json' }),
    looksLike: (file) => looksLike(description, textParts(file)),
    read: (file) => {
      const tape = tapes.read(file);
      return problems === undefined ? tape : withProblems(tape, () => problems(file, tape));
    },
    ...(write && writeSubset(HTTP_EXCHANGES, write)),
    ...(!isReadOnly && {
      editText: (file, edit) => tapes.edit(file, edit),
      editValue: (file, edit) => tapes.edit(file, edit),
      followingEdits: (file, changes) => tapes.follow(file, changes),
    }),
    ...(ids && { hasOpaqueIds: (file) => tapes.hasOpaqueIds(file, ids) }),
  };
}

type FormatOf<D> = (D extends { readonly write: unknown } ? WritableFormat : TapeFormat) &
  (D extends { readonly isReadOnly: true } ? unknown : Required<Pick<TapeFormat, 'editText' | 'editValue'>>);

function looksLike({ begins, marks, isEmpty, isOwn, isLines, yaml }: HttpDescription, text: TextParts): boolean {
  if (isLines && hasLines(isLines, text)) return looksLikeLines(text, marks);
  if (yaml === undefined && !looksLikeJson(text)) return false;
  if (begins !== undefined && !beginsWith(text, begins)) return false;
  if (isEmpty?.(text)) return true;
  return hasMark(text, outlineOf(text), marks) && isOwn?.(text) !== false;
}

function hasLines(isLines: HttpDescription['isLines'], text: TextParts): boolean {
  return isLines === true || (isLines === 'maybe' && startsWithObjectLine(text) && !jsonOutline(text).isOnly);
}

/** The first line may say what the file is, and the second be the first call. */
function looksLikeLines(text: TextParts, marks: Mark): boolean {
  if (!startsWithObjectLine(text)) return false;
  return headLines(text, 2).some((line) => hasMark(line, beginningOutline(line), marks));
}

/** The tapes of a described format. */
class HttpTapes {
  readonly #description: HttpDescription;
  readonly #layout: HttpLayout;

  constructor(description: HttpDescription) {
    const { at, body = ({ node }) => plainBody(node), requestBody = body, responseBody = body } = description;
    this.#description = description;
    this.#layout = { ...description, at: { ...USUAL_PLACES, ...at }, requestBody, responseBody };
  }

  read(file: TapeFile): Tape {
    const text = textParts(file);
    const { value, problems } = this.#parse(text);
    return readHttpTape(this.#layout, { value, problems: [...this.#encodingProblems(file, text), ...problems] });
  }

  /** No reader of YAML reads bytes that are not UTF-8. */
  #encodingProblems(file: TapeFile, text: TextParts): readonly Problem[] {
    return file.encoding === 'utf-8' || !this.#isYaml(text) ? [] : encodingProblems(file, t('its recorder'));
  }

  edit(file: TapeFile, edit: TapeResponseEdit): EditOutcome {
    const parsed = this.#parse(file.text);
    const outcome = refuseUnencodable(file, editHttpTape(this.#layout, parsed, this.#strings(file), edit));
    return 'refused' in outcome || !this.#isYaml(file.text) ? outcome : this.#checkInYaml(file, edit, outcome);
  }

  /** Updates what depends on bodies: lengths, and then ids, which may be made of headers that state lengths. */
  follow(file: TapeFile, changes: readonly Splice[]): DependentEdits {
    const write = this.#strings(file);
    const before = this.#parse(file.text);
    const after = (splices: readonly Splice[]) => this.#parse(applySplices(file.text, splices));
    const lengths = followHttpTape(this.#layout, before, after(changes), write);
    const { ids } = this.#description;
    if (ids === undefined) return lengths;
    const free = lengths.splices.filter(({ start, end }) => !changes.some((one) => start < one.end && one.start < end));
    const followed = followRequestIds(this.#layout, ids, before.value, after([...changes, ...free]).value, write);
    return {
      splices: [...lengths.splices, ...followed.splices],
      dependents: [...lengths.dependents, ...followed.dependents],
    };
  }

  hasOpaqueIds(file: TapeFile, ids: RequestIds): boolean {
    return hasOpaqueIds(this.#layout, ids, this.#parse(textParts(file)).value);
  }

  #isYaml(text: TextParts): boolean {
    return this.#description.yaml !== undefined && !looksLikeJson(text);
  }

  #parse(text: TextParts): ParseResult<JsonNode> {
    const { shape = ([root]) => root, hasDocuments, isLines } = this.#description;
    if (hasLines(isLines, text)) {
      const { value, problems } = readLineNodes(text);
      return { value: shape([value]), problems };
    }
    if (this.#isYaml(text)) {
      const { value = [], problems } = readYaml(wholeText(text));
      const unread = hasDocuments ? [] : unreadDocuments(value);
      return { value: shape(value), problems: [...problems, ...unread] };
    }
    const { value, problems } = readJson(text);
    return { value: value && shape([value]), problems };
  }

  #strings(file: TapeFile): WriteString {
    const { yaml } = this.#description;
    return yaml !== undefined && this.#isYaml(file.text) ? yamlStrings(file.text, yaml) : jsonStrings(file);
  }

  /**
   * Refuses an edit that YAML would read differently: slightly invalid YAML around a response changes how the new text is read, and
   * an alias has a value in several places.
   */
  #checkInYaml(file: TapeFile, edit: TapeResponseEdit, outcome: DependentEdits): EditOutcome {
    const { text } = file;
    const splices = outcome.splices.map((splice) => keepLineEnd(text, splice));
    const changed = applySplices(text, splices);
    const reread = this.read({ ...file, text: changed }).interactions[edit.interaction];
    if (edit.type === 'response-text' && reread?.response?.content !== edit.text)
      return { refused: t('This part of the file cannot hold the new text. Change it in the text editor.') };
    const isAlone = !ALIAS.test(text) || jsonEqual(this.#others(text, edit), this.#others(changed, edit));
    if (isAlone) return { ...outcome, splices };
    return {
      refused: t(
        'Other interactions share this response or its headers by a YAML alias. Change it in the text editor.',
      ),
    };
  }

  #others(text: string, { interaction }: TapeResponseEdit): readonly HttpExchange[] {
    const { value: root } = this.#parse(text);
    const entries = root === undefined ? [] : entriesOf(this.#layout, root);
    return entries
      .filter((_, at) => at !== interaction)
      .map((entry) => readStoredExchange(this.#layout, entry).exchange);
  }
}

/** Whether a node is used in several places of the file. */
const ALIAS = /^ *(?:- +)*(?:[\w.-]+: +)?\*[\w-]+[ \t\r]*$/m;
