import type { RecordedInteraction } from '../../core/model/interaction';
import { NEEDED_PARTS, type Unheld, unheldIn } from '../../core/tapes/unheld';
import type { WritableFormat } from '../../core/tapes/writableFormat';
import { counted, listed } from '../../core/text/counts';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';

/** Where recorded interactions are to be written. */
interface TapePlaceInFormat {
  readonly path: string;
  readonly format: WritableFormat;
  /** How many interactions stay before them. */
  readonly kept?: number;
}

/** A tape was not written, because it would not hold what was recorded. */
export class UnheldError extends UserError {
  constructor(
    place: TapePlaceInFormat,
    recorded: readonly RecordedInteraction[],
    readonly unheld: readonly Unheld[],
  ) {
    super(
      () => textOf(place, recorded, unheld),
      () => t('Record to a file such as {0}, which holds everything.', holdingPath(place.path)),
    );
    this.name = 'UnheldError';
  }
}

/** Throws an `UnheldError` unless `written`, which is what is read in the new tape, has all that a replay needs of the recorded interactions. */
export function requireHeld(
  place: TapePlaceInFormat,
  recorded: readonly RecordedInteraction[],
  written: readonly RecordedInteraction[],
): void {
  const unheld = unheldIn(place.format, recorded, written);
  if (unheld.length > 0) throw new UnheldError(place, recorded, unheld);
}

/** A tape beside the one at `path`, of the format that holds everything. */
export function holdingPath(path: string): string {
  return `${path.replace(/(?:\.tape)?\.[^./\\]+(?:\.gz)?$/, '')}.tape.jsonl`;
}

const SHOWN = 5;

function textOf(
  { path, format, kept = 0 }: TapePlaceInFormat,
  recorded: readonly RecordedInteraction[],
  unheld: readonly Unheld[],
): string {
  const lines = unheld
    .slice(0, SHOWN)
    .map(({ index, parts }) =>
      t(
        'interaction {0}, {1}: {2}',
        kept + index + 1,
        interactionName(recorded[index]),
        listed(parts.map((part) => t(NEEDED_PARTS[part]))),
      ),
    );
  const rest = unheld.length - lines.length;
  const isLeftOut = unheld.some(({ parts }) => parts.includes('interaction'));
  const { label, writableSubset } = format;
  return [
    counted(
      unheld.length,
      '{1} was not written: {0} recorded interaction does not fit into its format, {2}',
      '{1} was not written: {0} recorded interactions do not fit into its format, {2}',
      path,
      label,
    ),
    ...lines,
    ...(rest > 0 ? [counted(rest, 'and {0} more', 'and {0} more')] : []),
    ...(isLeftOut && writableSubset ? [t('{0} only stores {1}', label, t(writableSubset.description))] : []),
  ].join('\n  ');
}

/** A recorded interaction in words: the request without its query, which may be long. */
export function interactionName({ http, mcp, request }: RecordedInteraction = { request: undefined }): string {
  if (http !== undefined) return `${http.method} ${http.url.replace(/[?#].*$/s, '')}`;
  return mcp === undefined ? (request?.model ?? t('a call of a model')) : mcp.server;
}
