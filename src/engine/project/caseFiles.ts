import { join } from 'node:path';
import { artifactPath, baselinePath, decisionPath } from '../../core/project/layout';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { fromRoot, isInside } from '../files/projectPaths';

/** The files that belong to a case, as absolute paths. */
export interface CaseFiles {
  /** The case from the root, with `/`, for messages. */
  readonly name: string;
  readonly artifact: string;
  readonly baseline: string;
  readonly decision: string;
}

/** The files of a case. Throws a `UserError` for a case outside the project. Paths are absolute. */
export function caseFiles(root: string, casePath: string): CaseFiles {
  if (!isInside(root, casePath)) {
    throw new UserError(
      () => t('{0} is outside the project {1}', casePath, root),
      () => t('Move the case into the project, or open the folder that holds it.'),
    );
  }
  const name = fromRoot(root, casePath);
  return {
    name,
    artifact: join(root, artifactPath(name)),
    baseline: join(root, baselinePath(name)),
    decision: join(root, decisionPath(name)),
  };
}
