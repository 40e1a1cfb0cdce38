import type { Failure, ReplayMiss, RunResult } from '../../core/model/run';
import { projectPath, shortened } from '../files/projectPaths';

/** A result as JSON shows it: in English, without notices. Its paths are from the root of its project, in texts as well. */
export function runResultJson(result: RunResult, root: string): RunResult {
  const short = (path: string): string => projectPath(root, path);
  const { said: _, ...plain } = result;
  const { artifactPath, recording, tapeUses, interactions } = plain;
  return {
    ...plain,
    casePath: short(result.casePath),
    baselinePath: short(result.baselinePath),
    failures: result.failures.map((failure) => failureJson(failure, root)),
    ...(artifactPath !== undefined && { artifactPath: short(artifactPath) }),
    ...(recording && { recording: withShortPaths(recording, short) }),
    ...(tapeUses && { tapeUses: tapeUses.map((use) => withShortPaths(use, short)) }),
    ...(interactions && {
      interactions: interactions.map(({ explanation, ...one }) => ({
        ...one,
        ...(explanation !== undefined && { explanation: shortened(root, explanation) }),
      })),
    }),
  };
}

function failureJson({ message, fix, said: _, miss, step, missingTape, ...failure }: Failure, root: string): Failure {
  const { tapePath } = step ?? {};
  return {
    ...failure,
    message: shortened(root, message),
    ...(fix !== undefined && { fix: shortened(root, fix) }),
    ...(missingTape !== undefined && { missingTape: projectPath(root, missingTape) }),
    ...(step && { step: { ...step, ...(tapePath !== undefined && { tapePath: projectPath(root, tapePath) }) } }),
    ...(miss && { miss: missJson(miss, root) }),
  };
}

function missJson({ said: _, ...miss }: ReplayMiss, root: string): ReplayMiss {
  return withShortPaths(miss, (path) => projectPath(root, path));
}

function withShortPaths<T extends { readonly tapePath: string; readonly previousTakePath?: string }>(
  value: T,
  short: (path: string) => string,
): T {
  const { tapePath, previousTakePath } = value;
  return {
    ...value,
    tapePath: short(tapePath),
    ...(previousTakePath !== undefined && { previousTakePath: short(previousTakePath) }),
  };
}
