import type { CaseRules, NormaliseRules } from '../model/normalise';

/** The rules of a project, and those that a case has besides. */
export function withCaseRules(project: NormaliseRules, own: CaseRules | undefined): NormaliseRules {
  return own === undefined ? project : { ...project, ...joinCaseRules(project, own) };
}

/** Rules and more of them. A tolerance takes the place of an earlier one. */
export function joinCaseRules(rules: CaseRules, more: CaseRules): CaseRules {
  const usage = more.usageTolerance ?? rules.usageTolerance;
  const timing = more.timingTolerance ?? rules.timingTolerance;
  return {
    presets: [...new Set([...rules.presets, ...more.presets])],
    patterns: [...rules.patterns, ...more.patterns],
    ignore: [...new Set([...rules.ignore, ...more.ignore])],
    ...(usage !== undefined && { usageTolerance: usage }),
    ...(timing !== undefined && { timingTolerance: timing }),
  };
}

/** What all of several cases have, for what belongs to all of them, such as a tape: nothing if one of them has no rules. */
export function commonCaseRules(all: readonly (CaseRules | undefined)[]): CaseRules | undefined {
  return all.reduce((common, one) => common && one && bothHave(common, one));
}

function bothHave(left: CaseRules, right: CaseRules): CaseRules {
  const sources = right.patterns.map(({ pattern }) => pattern.source);
  const usage = smaller(left.usageTolerance, right.usageTolerance);
  const timing = smaller(left.timingTolerance, right.timingTolerance);
  return {
    presets: left.presets.filter((name) => right.presets.includes(name)),
    patterns: left.patterns.filter(({ pattern }) => sources.includes(pattern.source)),
    ignore: left.ignore.filter((path) => right.ignore.includes(path)),
    ...(usage !== undefined && { usageTolerance: usage }),
    ...(timing !== undefined && { timingTolerance: timing }),
  };
}

function smaller(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? undefined : Math.min(left, right);
}
