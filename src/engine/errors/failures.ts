import type { Failure, FailureNotices } from '../../core/model/run';
import { message, t } from '../../core/text/l10n';
import { inWords, noticeBeside, noticesIn, says, type Words } from '../../core/text/notice';
import { PatternTooSlow } from '../../core/text/patternMatch';
import { LineIndex, type Problem } from '../../core/text/source';
import type { TextParts } from '../../core/text/textParts';
import { AgentError, ProviderError } from './runErrors';
import { isSystemError, systemPlace, systemReason } from './systemError';
import { UserError } from './userError';

/** A case, or a file that belongs to it, could not be understood: everything that is wrong with it. */
export class CaseError extends UserError {
  constructor(readonly failures: readonly Failure[]) {
    const [first] = failures;
    super(() => failures.map((failure) => failureText(failure, 'message')).join('\n'), first && fixOf(first));
    this.name = 'CaseError';
  }
}

/** A text of a failure in the current language. */
export function failureText(failure: Failure, text: keyof FailureNotices): string {
  return says(failure.said?.[text] ?? failure[text] ?? '');
}

/** Failures with their fixes, in the current language. */
export function failuresText(failures: readonly Failure[]): string {
  const textOf = (failure: Failure) =>
    [failureText(failure, 'message'), failureText(failure, 'fix')].filter((text) => text !== '').join('. ');
  return failures.map(textOf).join('\n');
}

function fixOf(failure: Failure): Words | undefined {
  return failure.fix === undefined ? undefined : () => failureText(failure, 'fix');
}

/** A failure with its texts, and with what they say. */
export function failureOf(
  kind: Failure['kind'],
  words: { readonly message: Words; readonly fix?: Words | undefined; readonly line?: Words },
): Failure {
  const { message, fix, line } = words;
  const said = Object.entries(words).flatMap(([text, each = '']) => {
    const notice = noticeBeside(each);
    return notice === undefined ? [] : [[text, notice] as const];
  });
  return {
    kind,
    message: inWords(message),
    ...(fix !== undefined && { fix: inWords(fix) }),
    ...(line !== undefined && { line: inWords(line) }),
    ...(said.length > 0 && { said: Object.fromEntries(said) }),
  };
}

export function caseFailure(message: Words, fix?: Words): Failure {
  return failureOf('case', { message, fix });
}

/** The problems that are found in a text, as failures whose messages begin with `file:line:column`. */
export function problemFailures(file: string, text: TextParts, find: () => readonly Problem[]): readonly Failure[] {
  return problemsInCase(file, text, find).map(({ span: _, ...failure }) => failure);
}

/** The problems of a text as lines for the terminal, such as `line 3: unknown key …`. */
export function problemNotices(text: string, problems: readonly Problem[]): readonly string[] {
  const lines = new LineIndex(text);
  return problems.map(({ message, fix, span }) =>
    t('line {0}: {1}. {2}', lines.position(span.start).line, message, fix ?? '').trim(),
  );
}

/** Failures for the problems of a case itself, which an editor shows where they are. */
export function problemsInCase(file: string, text: TextParts, find: () => readonly Problem[]): readonly Failure[] {
  const lines = new LineIndex(text);
  const { made, saidIn } = noticesIn(find);
  return made.map(({ message, fix, span }) => {
    const { line, column } = lines.position(span.start);
    const failure = caseFailure(
      () => `${file}:${line}:${column}: ${says(saidIn(message))}`,
      fix && (() => says(saidIn(fix))),
    );
    return { ...failure, span };
  });
}

/** An expected error as failures; undefined for a bug, which is to be thrown on. */
export function errorFailures(error: unknown): readonly Failure[] | undefined {
  if (error instanceof CaseError) return error.failures;
  if (error instanceof ProviderError) {
    const { miss, requests, missingTape } = error.details;
    const texts = requests && { expected: requests.recorded, actual: requests.sent };
    return [
      {
        ...failureOf(error.kind, textsOf(error)),
        ...(miss && { miss }),
        ...(missingTape && { missingTape }),
        ...texts,
      },
    ];
  }
  if (error instanceof AgentError) return [failureOf(error.kind, textsOf(error))];
  if (error instanceof UserError) return [failureOf('case', textsOf(error))];
  if (error instanceof PatternTooSlow)
    return [caseFailure(error.message, () => t('The pattern is in tapedeck.toml or in the case.'))];
  if (isSystemError(error))
    return [caseFailure(() => `${systemPlace(error) ?? error.syscall}: ${systemReason(error)}`, wayAround(error))];
  return undefined;
}

/** The texts of an error, to be said in any language. */
export function textsOf({ fix, said }: UserError | ProviderError | AgentError): { message: Words; fix?: Words } {
  return { message: () => says(said.message), ...(fix !== undefined && { fix: () => says(said.fix) }) };
}

const PERMISSIONS = message('Change its permissions, or those of its folder.');
const WAYS_AROUND: Readonly<Record<string, string>> = {
  EACCES: PERMISSIONS,
  EPERM: PERMISSIONS,
  EEXIST: message('Move it away, or remove it.'),
  ENOENT: message('Correct the path.'),
  ENOTDIR: message('Correct the path.'),
  EISDIR: message('Correct the path.'),
  ELOOP: message('Correct the link, or remove it.'),
  EROFS: message('Use a copy of the project on a disk that you can write to.'),
  ENOSPC: message('Make room on the disk, and try again.'),
  EDQUOT: message('Make room on the disk, and try again.'),
  EBUSY: message('Close the other program, and try again.'),
};

function wayAround({ code = '' }: NodeJS.ErrnoException): Words | undefined {
  const way = Object.hasOwn(WAYS_AROUND, code) ? WAYS_AROUND[code] : undefined;
  return way && (() => t(way));
}
