import type { AgentProgram, ExternalAgent, LlmSpec } from '../../model/case';
import type { SourcePlace } from '../../model/runRecord';
import type { CaseKind } from '../caseKind';
import { agentLabel } from './externalAgent';
import { looksLikeCase } from './looksLikeCase';
import { readCase } from './readCase';

/** The tape that Replay reads; `record_tape` where a case has only that. */
export function tapeToReplay({ tape, recordTape }: LlmSpec): string | undefined {
  return tape ?? recordTape;
}

/** The tape that Re-record replaces. */
export function tapeToRecord({ tape, recordTape }: LlmSpec): string | undefined {
  return recordTape ?? tape;
}

/** `mofa test-dsl` cases, with Tapedeck's additions. */
export const tomlKind: CaseKind = {
  id: 'toml',
  label: 'MoFA test case',
  places: /(?:^|\/)cases\/(?:.*\/)?[^/]*\.toml$/i,
  looksLike: (text, path) => /\.toml$/i.test(path) && looksLikeCase(text),
  list(text) {
    const { value, problems } = readCase(text);
    if (value === undefined) return { cases: [], problems };
    const { name, nameSpan: span, llm, tools, tags, agent, semantic } = value;
    const recorded = llm.script === undefined ? tapeToRecord(llm) : undefined;
    const { onMiss = 'fail' } = llm.replay ?? {};
    const listed = {
      name,
      span,
      tapes: tapesOf(llm),
      ...(recorded === undefined ? {} : { recordedTape: recorded }),
      ...(onMiss !== 'fail' && { onMiss }),
      ...(llm.tapeSpan && { tapeSpan: llm.tapeSpan }),
      ...(llm.provider === undefined ? {} : { provider: llm.provider }),
      ...(agent.external && { ownAgent: agentLabel(agent.external), sources: agentSources(agent.external) }),
      ...(semantic !== undefined && { reads: [semantic] }),
      words: [llm.provider?.model, llm.provider?.kind, ...tools.map((tool) => tool.name)].filter(
        (word) => word !== undefined,
      ),
      tags,
    };
    return { cases: [listed], problems };
  },
};

/** The tape that is replayed, and the one that is recorded, if it is another one. */
function tapesOf(llm: LlmSpec): readonly string[] {
  const names = new Set([tapeToReplay(llm), tapeToRecord(llm)]);
  return [...names].filter((name) => name !== undefined);
}

/**
 * The source of an agent, relative to the case's folder: what `watch` names, or else what its command runs. That is a file, with
 * the files of its extension beside and below it; a module of Python; or the project in which a build tool finds it.
 */
function agentSources({ watched, ...agent }: ExternalAgent): readonly SourcePlace[] {
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
