import { join } from 'node:path';
import { readText } from './files/readFile';
import { version } from './version';

/** From `dist/chunks`, and from the source; so it is in the packages. */
const FOLDER = join(__dirname, '..', '..', 'media', 'ci');
const LIMIT = 100_000;
const PACKAGE = '@tapedeck/cli';

/** The systems that recordings are reviewed in. */
export const CI_SYSTEMS = ['github', 'gitlab', 'pre-commit'] as const;
export type CiSystem = (typeof CI_SYSTEMS)[number];

/** A file of a repository. */
export interface CiFile {
  /** From the top, with `/`. */
  readonly path: string;
  readonly text: string;
  /** The file is the user's as well: where it is there, its text is for the user to add. */
  readonly isShared?: true;
}

/**
 * What reviews recordings in a system, with the version of the package that runs now.
 * @param project the project's folder from the top of the repository, with `/`; `.` for the top
 */
export async function ciFiles(system: CiSystem, project: string): Promise<readonly CiFile[]> {
  switch (system) {
    case 'github':
      return [
        { path: '.github/actions/tapedeck/action.yml', text: pinned(await template('github/action.yml')) },
        {
          path: '.github/workflows/tapedeck.yml',
          text: inFolder(await template('github/workflow.yml'), 'working-directory', project),
        },
      ];
    case 'gitlab':
      return [
        { path: '.gitlab/tapedeck/review.yml', text: pinned(await template('gitlab/review.yml')) },
        {
          path: '.gitlab-ci.yml',
          text: inFolder(await template('gitlab/include.yml'), 'folder', project),
          isShared: true,
        },
      ];
    case 'pre-commit':
      return [
        {
          path: '.pre-commit-config.yaml',
          text: localHooks(await template('pre-commit/hooks.yaml'), project),
          isShared: true,
        },
      ];
  }
}

function template(name: string): Promise<string> {
  return readText(join(FOLDER, name), LIMIT);
}

/** Not the package's folder, which has no version. */
function pinned(text: string): string {
  return text.replaceAll(`'${PACKAGE}'`, `'${PACKAGE}@${version}'`);
}

/** A member of the template that names the project's folder. A path in JSON is one in YAML. */
function inFolder(text: string, member: string, project: string): string {
  return project === '.' ? text : text.replace(`${member}: .\n`, `${member}: ${JSON.stringify(project)}\n`);
}

/** The hooks as they are installed from the package, without a repository of hooks. pre-commit runs them at the top. */
function localHooks(hooks: string, project: string): string {
  const lines = hooks
    .replaceAll('language: node\n', `language: node\n  additional_dependencies: ['${PACKAGE}@${version}']\n`)
    .replace(/entry: (.*)\n/g, (entry, command: string) =>
      project === '.'
        ? entry
        : `entry: ${JSON.stringify(`sh -c 'cd "$0" && ${command}' ${JSON.stringify(project)}`)}\n`,
    )
    .trimEnd()
    .split('\n');
  return ['repos:', '  - repo: local', '    hooks:', ...lines.map((line) => `      ${line}`), ''].join('\n');
}
