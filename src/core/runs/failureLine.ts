import type { Failure } from '../model/run';
import { t } from '../text/l10n';

/** Why a run failed, in one line: its first failure, and how many more there are. Empty for one without failures. */
export function failureLine([first, ...others]: readonly Failure[]): string {
  if (first === undefined) return '';
  const line = first.miss?.line ?? first.line ?? first.message.split('\n', 1).join();
  return others.length === 0 ? line : t('{0} (and {1} more)', line, others.length);
}
