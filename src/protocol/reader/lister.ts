import type { TestedTapes } from '../../core/model/tape';
import type { ListedTape, Placed } from '../../core/project/listTape';
import type { SecretSources } from '../../core/secrets/secretSources';
import type { Position, Problem, Span } from '../../core/text/source';
import type { Finding } from '../../core/verify/finding';
import { isIndex, isListOf, isMaybe, isNumber, isOneOf, isShape, isText, isTrue } from '../rpc/guards';
import type { Guard, Guards } from '../rpc/rpc';

/** The calls to the thread that reads tapes for lists, so that the host does not hold their texts in memory. */
export type ListerApi = {
  /** Reads the first of these files, at least one: as many as take little time. Its answers are in their order. */
  list(params: { readonly files: readonly FileToList[] }): Promise<readonly ListAnswer[]>;
};

export interface FileToList {
  /** The absolute path of the file. */
  readonly file: string;
  /** The path that names the tape, with `/`. */
  readonly path: string;
  /** The stamp of the file as it was last read: it is not read again while it has that one. */
  readonly stamp?: string | undefined;
  readonly isExpected?: true | undefined;
  readonly secrets: SecretSources;
}

/** What a file is, or that it is as it was, or why it could not be read; a file that is gone has no stamp. */
export type ListAnswer = 'unchanged' | { readonly failed: string } | FoundFile;

export interface FoundFile {
  readonly stamp?: string;
  readonly tape?: ListedTape;
}

const isPosition = isShape<Position>({ line: isNumber, column: isNumber });
const isSpan = isShape<Span>({ start: isNumber, end: isNumber });
const problemShape = {
  severity: isOneOf('error', 'warning', 'info'),
  message: isText,
  fix: isMaybe(isText),
  code: isMaybe(isText),
  span: isSpan,
  from: isPosition,
  to: isPosition,
};
const isRule = (value: unknown): value is Finding['rule'] => isText(value);

/** What was kept of a file that was read in another window. */
export const isFoundFile: Guard<FoundFile> = isShape<FoundFile>({
  stamp: isMaybe(isText),
  tape: isMaybe(
    isShape<ListedTape>({
      format: isText,
      formatLabel: isText,
      family: isOneOf('conversation', 'http', 'session', 'script', 'frames', 'log', 'unreadable'),
      tested: isMaybe(
        isShape<TestedTapes>({
          recorder: isOneOf('checkagent', 'reyn', 'vcr', 'polly', 'nock', 'aimock', 'fixture', 'go-vcr', 'httprr'),
          orphans: isMaybe(isOneOf('by-folder', 'by-mark', 'by-name')),
        }),
      ),
      interactions: isIndex,
      model: isMaybe(isText),
      recordedAt: isMaybe(isNumber),
      problems: isListOf(isShape<Placed<Problem>>(problemShape)),
      secrets: isListOf(isShape<Placed<Finding>>({ ...problemShape, rule: isRule })),
    }),
  ),
});

export const listerGuards: Guards<ListerApi> = {
  list: isShape({
    files: isListOf(
      isShape<FileToList>({
        file: isText,
        path: isText,
        stamp: isMaybe(isText),
        isExpected: isMaybe(isTrue),
        secrets: isShape<SecretSources>({ values: isListOf(isText), patterns: isListOf(isText) }),
      }),
    ),
  }),
};

/** The data that the thread is started with. */
export interface ListerStart {
  readonly lists: true;
}

export const isListerStart: Guard<ListerStart> = isShape<ListerStart>({ lists: isTrue });
