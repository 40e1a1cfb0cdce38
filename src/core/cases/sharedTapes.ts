import { joinedByCommas } from '../text/joinedByCommas';
import { message, t } from '../text/l10n';
import type { Severity } from '../text/source';

/** A case with the tapes that it uses. Paths may have any form in which equal paths are equal texts. */
export interface TapeUser {
  /** The file of the case. */
  readonly file: string;
  /** The path of the case, for messages. */
  readonly label: string;
  /** The tapes that it replays, and the one that it records. */
  readonly tapes: readonly string[];
  /** The tape that a recording of it replaces; absent where it calls nobody. */
  readonly records?: string;
}

/** The users of each tape that some case records, and that cases of other files use as well. */
export function findSharedTapes<User extends TapeUser>(users: readonly User[]): ReadonlyMap<string, readonly User[]> {
  const byTape = new Map<string, User[]>();
  for (const user of users)
    for (const tape of new Set([...user.tapes, ...(user.records === undefined ? [] : [user.records])])) {
      const known = byTape.get(tape);
      if (known === undefined) byTape.set(tape, [user]);
      else known.push(user);
    }
  const isShared = ([tape, found]: readonly [string, readonly User[]]): boolean =>
    new Set(found.map(({ file }) => file)).size > 1 && found.some(({ records }) => records === tape);
  return new Map([...byTape].filter(isShared));
}

/** What is wrong when cases share a tape that one of them records. */
interface SharedTape {
  /** A warning where several cases record it; where one case records what others replay, that may be on purpose. */
  readonly severity: Severity;
  readonly message: string;
  readonly fix: string;
}

const OWN_TAPE = message('Give each case a tape of its own: change `tape` under [llm] in one of them.');

/** Describes a shared tape to the reader of the tape. */
export function describeSharedTape(tape: string, users: readonly TapeUser[]): SharedTape {
  const recorders = users.filter(({ records }) => records === tape);
  const others = users.filter(({ records }) => records !== tape);
  const files = new Set(recorders.map(({ file }) => file));
  const message =
    files.size > 1
      ? t('{0} record over each other: this is the tape of all of them', labelsOf(recorders))
      : t('a recording of {0} replaces this tape, which {1} replays', labelsOf(recorders), labelsOf(others));
  return { severity: files.size > 1 ? 'warning' : 'info', message, fix: t(OWN_TAPE) };
}

/** Describes a shared tape to the reader of one of the cases. */
export function describeSharing(tape: string, user: TapeUser, users: readonly TapeUser[]): SharedTape {
  const others = users.filter(({ file }) => file !== user.file);
  const { severity } = describeSharedTape(tape, users);
  const recorders = others.filter(({ records }) => records === tape);
  const message =
    user.records === tape
      ? t('a recording of this case replaces the tape of {0}', labelsOf(others))
      : t('a recording of {0} replaces this tape', labelsOf(recorders));
  return { severity, message, fix: t(OWN_TAPE) };
}

function labelsOf(users: readonly TapeUser[]): string {
  const labels = [...new Set(users.map(({ label }) => label))];
  return labels.length < 2
    ? labels.join('')
    : t('{0} and {1}', joinedByCommas(labels.slice(0, -1)), labels.at(-1) ?? '');
}
