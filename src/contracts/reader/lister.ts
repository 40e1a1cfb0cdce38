import type { TestedTapes } from '../../core/model/tape';
import type { ListedTape, Placed } from '../../core/project/listTape';
import { count, flag, list, optional, type Schema, shape, text, trusted, type Value } from '../../core/schema/schema';
import type { SecretSources } from '../../core/secrets/secretSources';
import type { DeclaredLayouts } from '../../core/tapes/declaredLayouts';
import type { Problem } from '../../core/text/source';
import type { Finding } from '../../core/verify/finding';
import { call, contract, type Handlers, returns } from '../contract';

/** Checked where a `tapedeck.toml` is read. */
export const declaredLayouts = trusted<DeclaredLayouts>();

const fileToList = shape({
  /** The absolute path of the file. */
  file: text(),
  /** The path that names the tape, with `/`. */
  path: text(),
  /** The stamp of the file as it was last read: it is not read again while it has that one. */
  stamp: optional(text()),
  isExpected: optional(flag()),
  secrets: trusted<SecretSources>(shape({ values: list(text()), patterns: list(text()) })),
});
export type FileToList = Value<typeof fileToList>;

/** What is asked of the thread that reads tapes for lists, so that the host does not hold their texts in memory. */
export const lister = contract({
  calls: {
    /** Reads the first of these files, at least one: as many as take little time. Its answers are in their order. */
    list: call(shape({ files: list(fileToList), layouts: declaredLayouts }), returns<readonly ListAnswer[]>()),
  },
});
export type ListerApi = Handlers<typeof lister.calls>;

/** What a file is, or that it is as it was, or why it could not be read; a file that is gone has no stamp. */
export type ListAnswer = 'unchanged' | { readonly failed: string } | FoundFile;

export interface FoundFile {
  readonly stamp?: string;
  readonly tape?: ListedTape;
}

const position = shape({ line: count(), column: count() });
const PROBLEM = {
  severity: text('', { enum: ['error', 'warning', 'info'] }),
  message: text(),
  fix: optional(text()),
  code: optional(text()),
  span: shape({ start: count(), end: count() }),
  from: position,
  to: position,
};

/** What was kept of a file that was read in another window. */
export const foundFile: Schema<FoundFile> = trusted<FoundFile>(
  shape({
    stamp: optional(text()),
    tape: optional(
      shape({
        format: text(),
        formatLabel: text(),
        family: text('', { enum: ['conversation', 'http', 'session', 'script', 'frames', 'log', 'unreadable'] }),
        tested: optional(
          trusted<TestedTapes>(
            shape({
              recorder: text('', {
                enum: ['checkagent', 'reyn', 'vcr', 'polly', 'nock', 'aimock', 'fixture', 'go-vcr', 'httprr'],
              }),
              orphans: optional(text('', { enum: ['by-folder', 'by-mark', 'by-name'] })),
            }),
          ),
        ),
        test: optional(text()),
        interactions: count(),
        model: optional(text()),
        recordedAt: optional(trusted<number>()),
        problems: list(trusted<Placed<Problem>>(shape(PROBLEM))),
        secrets: list(trusted<Placed<Finding>>(shape({ ...PROBLEM, rule: text() }))),
      }),
    ),
  }),
);

/** The data that the thread is started with. */
export const listerStart = shape({ lists: flag() });
export type ListerStart = Value<typeof listerStart>;
