import type { AlignedPair } from '../../diff/alignment';
import { digest53 } from '../../hash/digest53';
import { compactJson, type Json, prettyJson } from '../../json/json';
import { formatJsonPath } from '../../json/jsonPath';
import { jsonValue } from '../../json/readJson';
import type { Change } from '../../model/change';
import type { Interaction } from '../../model/interaction';
import { counted } from '../../text/counts';
import { joinedByCommas } from '../../text/joinedByCommas';
import { t } from '../../text/l10n';
import { LineIndex } from '../../text/source';
import { compareTapes, type TapeComparison } from '../compare/compareTapes';
import { differingPlaces } from '../compare/excerpts';
import type { Normaliser } from '../compare/normaliser';
import type { RecordedTape } from '../recordings';
import type { FileValue } from './fileValues';
import { type UnreadValue, unreadValues } from './unreadValues';

/** Two tapes, compared with all of their files. */
export interface FileComparison extends TapeComparison {
  /** The change of what no reader knows, if there is one. */
  readonly unread?: UnreadPlaces;
}

/** Where the change is that has this id. */
interface UnreadPlaces {
  readonly id: string;
  /** The interactions. */
  readonly pairs: ReadonlySet<AlignedPair<Interaction>>;
  readonly isAround: boolean;
}

/**
 * The differences between two versions of a tape. Where they do not explain all that differs between the files, the rest is a
 * change of its own: a reader that knows only a part of a file says nothing of what was changed elsewhere.
 */
export function compareTapeFiles(before: RecordedTape, after: RecordedTape, normaliser: Normaliser): FileComparison {
  const comparison = compareTapes(before.tape, after.tape, normaliser);
  // Of two formats, everything stands elsewhere.
  if (before.file.text === after.file.text || before.format !== after.format) return comparison;
  const { values, noise, isLayoutOnly, isLimited } = unreadValues(before, after, comparison, normaliser);
  const notices = [
    ...comparison.notices,
    ...(isLayoutOnly && comparison.changes.length + comparison.hidden.length === 0
      ? [t('Only the layout of the file differs: white space, the order of members, quotes, comments.')]
      : []),
    ...(isLimited
      ? [t('Too much differs to check whether each value is read. Those that were not checked are shown.')]
      : []),
  ];
  const ignored = noise.length === 0 ? [] : [{ ...unreadChange(noise, before, after), rules: ['recording'] }];
  const hidden = [...comparison.hidden, ...ignored];
  if (values.length === 0) return { ...comparison, hidden, notices };
  const change = unreadChange(values, before, after);
  const pairs = new Set(values.flatMap(({ pair }) => pair ?? []));
  const isAround = values.some(({ pair }) => pair === undefined);
  return {
    ...comparison,
    hidden,
    notices,
    changes: [...comparison.changes, change],
    unread: { id: change.id, pairs, isAround },
  };
}

/** The lines that a title names. */
const MAX_LINES = 3;

function unreadChange(values: readonly UnreadValue[], before: RecordedTape, after: RecordedTape): Change {
  const [olds, news] = [new LineIndex(before.file.text), new LineIndex(after.file.text)];
  const lineOf = ({ before: old, after: now }: UnreadValue): number => {
    const { node, offset } = (now ?? old) as FileValue;
    return (now === undefined ? olds : news).position(offset + node.start).line;
  };
  const placeOf = (value: UnreadValue): string => {
    const { path, isText } = (value.after ?? value.before) as FileValue;
    return path.length === 0 || isText ? t('line {0}', lineOf(value)) : formatJsonPath(path);
  };
  const sideOf = (side: 'before' | 'after'): Readonly<Record<string, Json>> =>
    Object.fromEntries(
      values.flatMap((value) => {
        const { node } = value[side] ?? {};
        return node === undefined ? [] : [[placeOf(value), jsonValue(node)] as const];
      }),
    );
  const shown = differingPlaces(sideOf('before'), sideOf('after'));
  const lines = [...new Set(values.map(lineOf))];
  const more = lines.length - MAX_LINES;
  return {
    id: digest53(compactJson(['unread', ...values.map(identityOf)])).toString(36),
    kind: 'edited',
    subject: 'unread',
    place: { path: [] },
    weight: 'behaviour',
    title: counted(
      lines.length,
      'The file changed where Tapedeck does not read it: line {1}',
      'The file changed where Tapedeck does not read it: lines {1}',
      joinedByCommas([...lines.slice(0, MAX_LINES).map(String), ...(more > 0 ? [t('{0} more', more)] : [])]),
    ),
    before: prettyJson(shown.before),
    after: prettyJson(shown.after),
    language: 'json',
    repeats: [],
    rules: [],
  };
}

/** By names, and not by indexes, which other interactions move. */
function identityOf({ before, after }: UnreadValue): Json {
  const names = (after ?? before)?.path.filter((key) => typeof key === 'string') ?? [];
  return [names, before ? [jsonValue(before.node)] : [], after ? [jsonValue(after.node)] : []];
}
