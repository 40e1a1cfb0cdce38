import { LISTED_BYTES, tooLargeReason } from '../bytes/fileLimits';
import type { Interaction } from '../model/interaction';
import type { FormatId, TapeFamily, TestedTapes } from '../model/tape';
import type { SecretSearch } from '../secrets/secretSearch';
import type { TapeFormat } from '../tapes/format';
import { mostLike } from '../tapes/mostLike';
import { canDescribe } from '../tapes/proposeLayout';
import { detectFormat } from '../tapes/readTape';
import { type TapeFile, unreadableFile } from '../tapes/tapeFile';
import { unknownFormat } from '../tapes/unknownFormat';
import { UNREADABLE } from '../tapes/unreadable';
import { escapeInvisible } from '../text/escapeInvisible';
import { message, t } from '../text/l10n';
import { LineIndex, type Position, type Problem } from '../text/source';
import { findDamage } from '../verify/damagedTape';
import type { Finding } from '../verify/finding';
import { findTapeSecrets } from '../verify/leakedSecrets';
import { isTapeName, isTapePath } from './filePatterns';

/** A problem with its place as an editor counts it. */
export type Placed<P extends Problem> = P & { readonly from: Position; readonly to: Position };

/** A tape as lists show it: plain data, which can be sent from a thread. */
export interface ListedTape {
  readonly format: FormatId;
  readonly formatLabel: string;
  readonly family: TapeFamily;
  readonly tested?: TestedTapes;
  /** The id of the test that recorded it. */
  readonly test?: string;
  readonly interactions: number;
  /** The first model that it names. */
  readonly model?: string;
  /** Its latest recording, in milliseconds since the epoch; absent if the tape has no times. */
  readonly recordedAt?: number;
  readonly problems: readonly Placed<Problem>[];
  readonly secrets: readonly Placed<Finding>[];
}

/** How a file is listed. */
interface ListingRules {
  /** Finds the secrets that are listed; absent if none are. */
  readonly search?: SecretSearch | undefined;
  /** Something says that this file is a tape, such as a case that names it: damaged, it is listed with the reason. */
  readonly isExpected?: boolean | undefined;
}

/**
 * Reads a file for a list of tapes, with less effort than to open it; undefined if it is not a tape. A tape that is too
 * large for that, or damaged, is listed with the reason if its name, or the caller, says that it is one.
 */
export async function listTape(
  path: string,
  size: number,
  open: () => PromiseLike<TapeFile>,
  { search, isExpected: isNamed = false }: ListingRules = {},
): Promise<ListedTape | undefined> {
  const isExpected = isNamed || isTapePath(path);
  if (size > LISTED_BYTES) return isExpected ? unlistedTape(tooLargeReason(LISTED_BYTES)) : undefined;
  const file = await open();
  const format = detectFormat(file);
  if (format === UNREADABLE && file.unreadable === undefined) return unreadTape(file.text, format.read(file).problems);
  if (format === undefined || format === UNREADABLE)
    return isExpected ? unreadFile(file, isNamed || isTapeName(path)) : undefined;
  const tape = format.read(file);
  // Before the problems, which read every interaction, so that the first ones are read only once.
  const origin = originOf(tape.interactions);
  const { interactions, problems } = tape;
  // A recorder's configuration may look like an empty tape of its format.
  if (interactions.length === 0 && problems.length === 0 && !isExpected) return undefined;
  const secrets = search === undefined ? [] : findTapeSecrets(file, search);
  return {
    ...described(format),
    test: tape.test,
    interactions: interactions.length,
    ...origin,
    ...placedIn(file.text, problems, secrets),
  };
}

/** How many interactions are searched for a model: a session may begin with a sign-in. */
const ASKED = 3;
const LONGEST_MODEL = 80;

/** By its first interactions, and by its last one, which may have been recorded later. */
function originOf(interactions: readonly Interaction[]): Pick<ListedTape, 'model' | 'recordedAt'> {
  const asked = [...interactions.slice(0, ASKED), ...interactions.slice(Math.max(ASKED, interactions.length - 1))];
  const models = asked.map(({ request, response }) => request?.model ?? response?.model);
  const model = models.find((one) => one !== undefined && one.length <= LONGEST_MODEL);
  const times = asked.map(({ timing }) => Date.parse(timing?.recordedAt ?? '')).filter((time) => time > 0);
  return {
    ...(model !== undefined && { model: escapeInvisible(model) }),
    ...(times.length > 0 && { recordedAt: Math.max(...times) }),
  };
}

/** A tape whose content was not read, with the reason. */
export function unlistedTape(reason: string): ListedTape {
  const { problems } = UNREADABLE.read(unreadableFile('', reason));
  const told = problems.map((problem) => ({ ...problem, severity: NOT_LISTED.severity, fix: t(NOT_LISTED.fix) }));
  return unreadTape('', told);
}

/** In UTF-16 units: what is listed unasked is not searched for long. */
const MAX_SEARCHED = 2_000_000;

/** A file that no format knows: damaged, or in another format. Where only its folder says that it is a tape, its content has to agree. */
function unreadFile(file: TapeFile, isNamed: boolean): ListedTape | undefined {
  if (file.unreadable !== undefined) return unlistedTape(file.unreadable);
  const problems = findDamage(file);
  if (problems.length > 0) return unreadTape(file.text, problems);
  const isDescribable = canDescribe(file, MAX_SEARCHED);
  if (!isNamed && !isDescribable) return undefined;
  const listed = unreadTape(file.text, [unknownFormat(isDescribable, mostLike(file))]);
  return { ...listed, formatLabel: t(UNKNOWN_LABEL) };
}

const UNKNOWN_LABEL = message('Unknown format');

function unreadTape(text: string, problems: readonly Problem[]): ListedTape {
  return { ...described(UNREADABLE), interactions: 0, ...placedIn(text, problems, []) };
}

const NOT_LISTED = {
  severity: 'warning',
  fix: message('Open it to read it, or split it into smaller tapes.'),
} as const;

function described({ id, label, family, tested }: TapeFormat) {
  return { format: id, formatLabel: label, family, ...(tested && { tested }) };
}

function placedIn(text: string, problems: readonly Problem[], secrets: readonly Finding[]) {
  const lines = problems.length + secrets.length > 0 ? new LineIndex(text) : undefined;
  const at = (offset: number): Position => lines?.position(offset) ?? { line: 1, column: 1 };
  const place = <P extends Problem>(one: P): Placed<P> => ({ ...one, from: at(one.span.start), to: at(one.span.end) });
  return { problems: problems.map(place), secrets: secrets.map(place) };
}
