import type { AgentProgram, ExternalAgent } from '../../model/case';
import type { SourcePlace } from '../../model/runRecord';

/**
 * The source of an agent, relative to the case's folder: what `watch` names, or else what its command runs. That is a file, with
 * the files of its extension beside and below it; a module of Python; or the project in which a build tool finds it.
 */
export function agentSources({ watched, ...agent }: ExternalAgent): readonly SourcePlace[] {
  if (watched !== undefined) return watched.map((path) => ({ path }));
  if (agent.kind === 'service') return [];
  const module = moduleOf(agent);
  const named = namedFiles({ ...agent, command: agent.command.filter((word) => word !== module) });
  const found = [...moduleFiles(agent.cwd, module), ...named];
  return found.length > 0 ? found : projects(agent);
}

function namedFiles({ cwd, command }: AgentProgram): readonly SourcePlace[] {
  return command.flatMap((part): readonly SourcePlace[] => {
    const path = inFolder(cwd, part);
    const [, extension] = /^[\w./-]+\.(\w+)$/.exec(part) ?? [];
    if (part.startsWith('-') || (extension === undefined && !part.includes('/'))) return [];
    if (extension === undefined) return [{ path }];
    return [{ path }, { path: path.slice(0, path.lastIndexOf('/')), extension }];
  });
}

/** The module of `python -m`. */
function moduleOf({ command }: AgentProgram): string | undefined {
  const at = command.indexOf('-m');
  const isPython = command.slice(0, Math.max(at, 0)).some((word) => /(?:^|\/)(?:python|pypy)[\d.]*$/.test(word));
  return isPython ? command[at + 1] : undefined;
}

/** The package of a module, or its file where it is in none. */
function moduleFiles(cwd: string, module: string | undefined): readonly SourcePlace[] {
  const [top] = (module ?? '').split('.');
  if (!top) return [];
  return [{ path: inFolder(cwd, `${top}.py`) }, { path: inFolder(cwd, top), extension: 'py' }];
}

/** The files that tools build or run from the folder in which they are started. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  npm: ['package.json', '*.js', '*.mjs', '*.cjs', '*.ts', '*.mts', '*.tsx'],
  deno: ['deno.json', '*.js', '*.ts', '*.tsx'],
  go: ['go.mod', '*.go'],
  cargo: ['Cargo.toml', '*.rs'],
  dotnet: ['*.csproj', '*.cs', '*.fs'],
  gradle: ['build.gradle', 'build.gradle.kts', '*.java', '*.kt'],
  mvn: ['pom.xml', '*.java', '*.kt'],
  poetry: ['pyproject.toml', '*.py'],
};
const SAME: Readonly<Record<string, string>> = {
  pnpm: 'npm',
  yarn: 'npm',
  bun: 'npm',
  npx: 'npm',
  gradlew: 'gradle',
  mvnw: 'mvn',
  uv: 'poetry',
  hatch: 'poetry',
  pdm: 'poetry',
};

function projects({ cwd, command: [program = ''] }: AgentProgram): readonly SourcePlace[] {
  const name = program.slice(program.lastIndexOf('/') + 1).replace(/\.(?:cmd|exe|bat)$/i, '');
  return (TOOLS[SAME[name] ?? name] ?? []).map((file) =>
    file.startsWith('*.') ? { path: cwd, extension: file.slice(2) } : { path: inFolder(cwd, file) },
  );
}

function inFolder(cwd: string, path: string): string {
  return path.startsWith('/') ? path : `${cwd}/${path}`;
}
