import { readProfile } from '../../flakestorm/profile';
import { hasMembers } from '../../tapes/formats/textDocument';
import { type CaseKind, fileStem } from '../caseKind';

const FAULTS = /^ +(?:tool_faults|llm_faults|context_attacks)[ \t]*:/m;

/** Chaos profiles: faults by name, for the runs of a configuration. */
export const flakestormProfileKind: CaseKind = {
  id: 'flakestorm-profile',
  label: 'Flakestorm chaos profile',
  looksLike: (text) => hasMembers(text, 'name', 'chaos') && !hasMembers(text, 'agent') && FAULTS.test(text),
  list(text, path) {
    const { value, problems } = readProfile(text);
    if (value === undefined) return { cases: [], problems };
    const name = value.name || fileStem(path);
    const lacks = `a chaos profile is no test: run a configuration under it with tapedeck flakestorm ci -c flakestorm.yaml --profile ${path.slice(path.lastIndexOf('/') + 1)}`;
    return {
      cases: [{ name, span: { start: 0, end: 0 }, tapes: [], words: [], tags: ['flakestorm'], lacks }],
      problems,
    };
  },
};
