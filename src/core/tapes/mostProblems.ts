import type { Problem, Severity } from '../text/source';

/** More than anybody repairs before looking again. */
const MOST = 500;
const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/** The problems, or as many as can be listed, with one that says how many more there are, as grave as the worst of them. */
export function mostProblems(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= MOST) return problems;
  const [first, ...others] = problems.slice(MOST);
  if (first === undefined || others.length === 0) return problems;
  const grave = new Set(problems.slice(MOST).map(({ severity }) => severity));
  const more: Problem = {
    severity: SEVERITIES.find((severity) => grave.has(severity)) ?? first.severity,
    message: `${others.length + 1} more problems from here on are not listed`,
    fix: `Repair the ${MOST} before them first: so many mostly have one cause.`,
    span: first.span,
  };
  return [...problems.slice(0, MOST), more];
}
