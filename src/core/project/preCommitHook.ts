import { quoteForShell } from '../text/shellWord';

/** What a shell script of a git hook needs to run the gate, between lines by which it is found again. */

const BEGIN = '# >>> tapedeck: pending changes of tapes and baselines stop the commit';
const END = '# <<< tapedeck';

/** Where the launcher of the command line may be, besides the PATH: git is also started where no terminal is. */
const PLACES = [
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the shell
  '${XDG_STATE_HOME:-$HOME/.local/state}/tapedeck/bin',
  '$HOME/Library/Application Support/tapedeck/bin',
  '$HOME/AppData/Roaming/tapedeck/bin',
];

/** The lines of the gate. `project` is the project's folder from the top of the repository, with `/`; empty for the top. */
export function gateLines(project: string): readonly string[] {
  const check = 'tapedeck check --staged';
  const inProject = project === '' ? check : `(cd ${quoteForShell(project)} && ${check})`;
  return [BEGIN, `PATH="$PATH:${PLACES.join(':')}"`, `${inProject} || exit 1`, END];
}

/** A command of one line, for configurations of hook managers. */
function gateCommand(project: string): string {
  const check = 'exec tapedeck check --staged';
  const inProject = project === '' ? check : `cd ${quoteForShell(project)} && ${check}`;
  return `PATH="$PATH:${PLACES.join(':')}"; ${inProject}`;
}

/** A hook with nothing but the gate. */
export function newHook(project: string): string {
  return `${['#!/bin/sh', ...gateLines(project)].join('\n')}\n`;
}

export function hasGate(hook: string): boolean {
  return hook.includes(BEGIN);
}

/**
 * A hook with the gate before everything else, because a script may end early; undefined if it is no shell script. A
 * hook of husky needs no first line of its own.
 */
export function withGate(hook: string, project: string): string | undefined {
  const [first = '', ...rest] = hook.split('\n');
  const gate = gateLines(project);
  if (/^#!.*\b(?:sh|bash|dash|zsh|ksh)\b/.test(first)) return [first, ...gate, ...rest].join('\n');
  return first.startsWith('#!') ? undefined : [...gate, hook].join('\n');
}

/** The hook without the gate; undefined if nothing else is in it. */
export function withoutGate(hook: string): string | undefined {
  const lines = hook.split('\n');
  const begin = lines.indexOf(BEGIN);
  const end = lines.indexOf(END, begin);
  if (begin === -1 || end === -1) return hook;
  const left = [...lines.slice(0, begin), ...lines.slice(end + 1)];
  return left.every((line) => line.trim() === '' || line.startsWith('#!')) ? undefined : left.join('\n');
}

/** What the user adds to the configuration of a hook manager. */
export function managedGate(manager: 'lefthook' | 'pre-commit', project: string): string {
  const command = gateCommand(project);
  if (manager === 'lefthook') return `pre-commit:\n  commands:\n    tapedeck:\n      run: ${JSON.stringify(command)}\n`;
  return [
    'repos:',
    '  - repo: local',
    '    hooks:',
    '      - id: tapedeck',
    '        name: tapedeck check',
    `        entry: ${JSON.stringify(`sh -c ${quoteForShell(command)}`)}`,
    '        language: system',
    '        pass_filenames: false',
    '        always_run: true',
    '',
  ].join('\n');
}
