import type { KeyTarget, RecordingTarget } from '../../contracts/engine/recordingTargets';
import { t } from '../../core/text/l10n';
import { oneLine, type Question, type QuestionSection } from '../base/confirm';

/** A case, or a program, with the hosts that its recording calls. */
export interface Caller {
  readonly name: string;
  readonly targets: readonly RecordingTarget[];
}

/** Whether the user has to allow it for this project first. */
function isNewTarget({ known, confirmed }: RecordingTarget): boolean {
  return !known && !confirmed;
}

/** What is to be remembered once the user has allowed it. */
export function newTargets(targets: readonly RecordingTarget[]): readonly KeyTarget[] {
  return targets.filter(isNewTarget).map(({ host, variable }) => ({ host, variable }));
}

/** The button of a question about a recording. */
export function recordAction(callers: readonly Caller[], verb: string): Pick<Question, 'action' | 'isWarning'> {
  const isNew = callers.some(({ targets }) => targets.some(isNewTarget));
  return { action: isNew ? t('Allow and {0}', verb) : verb, isWarning: isNew };
}

/** The hosts with their keys: first those that are new in this project, and each once, with those that call it. */
export function targetSections(callers: readonly Caller[]): readonly QuestionSection[] {
  const groups = new Map<string, { readonly target: RecordingTarget; readonly names: Set<string> }>();
  for (const { name, targets } of callers)
    for (const target of targets) {
      const key = JSON.stringify([target.host, target.variable, target.setBy, isNewTarget(target)]);
      const group = groups.get(key) ?? { target, names: new Set() };
      groups.set(key, group);
      group.names.add(oneLine(name));
    }
  const all = [...groups.values()];
  const line = ({ target, names }: (typeof all)[number]): string =>
    `• ${describeTarget(target)}${callers.length === 1 ? '' : ` — ${[...names].join(', ')}`}`;
  const section = (title: string, wanted: typeof all): readonly QuestionSection[] =>
    wanted.length === 0 ? [] : [{ title, lines: wanted.map(line) }];
  return [
    ...section(
      t('New in this project, to be allowed:'),
      all.filter(({ target }) => isNewTarget(target)),
    ),
    ...section(
      t('Requests go to:'),
      all.filter(({ target }) => !isNewTarget(target)),
    ),
  ];
}

function describeTarget({ host, variable, isSet, setBy }: RecordingTarget): string {
  const key = variable === undefined ? t(', without a key') : t(', with the value of {0}', oneLine(variable));
  const missing = variable === undefined || isSet ? '' : t(', which is not set');
  // A program in place of a host: no host has a space in it.
  if (host.includes(' ')) return t('{0}{1} (named in {2})', host, key, oneLine(setBy));
  return t('{0}{1}{2} (host set by {3})', oneLine(host), key, missing, oneLine(setBy));
}
