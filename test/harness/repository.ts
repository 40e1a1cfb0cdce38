import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import type { RecordedInteraction } from '../../src/core/model/interaction';
import { mofaFormat } from '../../src/core/tapes/formats/mofa/index';
import { say, turn } from '../core/review/recordings';
import { inProject, type TestProject } from './builtEngine';

/** A MoFA tape of these turns. */
export const tape = (...turns: RecordedInteraction[]): string => mofaFormat.serialise?.('case', turns) ?? '';

const hello = turn([say('user', 'Say hello to the visitor')], 'Hello and welcome');
export const weather = (answer: string, tokens = 10, model?: string): string =>
  tape(hello, turn([say('user', 'What is the weather in Paris')], answer, { tokens, ...(model && { model }) }));

/** A tape, and another take of it with two changes: the model, and the answer with its tokens. */
export const OLD = weather('It rains in Paris today');
export const NEW = weather('It snows in Paris today', 12, 'gpt-5');

export function git(project: TestProject, ...args: string[]): string {
  return execFileSync('git', args, { cwd: project.root, encoding: 'utf8' });
}

/** A repository with these files, all of them committed. */
export function inRepository(
  files: Readonly<Record<string, string>>,
  test: (project: TestProject) => Promise<void>,
): Promise<void> {
  return inProject({ 'tapedeck.toml': '', '.gitignore': '.tapedeck/\n', ...files }, async (project) => {
    git(project, 'init', '-q', '-b', 'main');
    appendFileSync(project.path('.git/config'), '[user]\n\temail = someone@example.com\n\tname = Someone\n');
    git(project, 'add', '.');
    git(project, 'commit', '-q', '-m', 'first');
    await test(project);
  });
}
