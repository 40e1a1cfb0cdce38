import { isBuiltin } from 'node:module';
import { posix } from 'node:path';

/** An import of a source text, however it is written. */
export interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
}

type Layer = 'core' | 'contracts' | 'reader' | 'engine' | 'host' | 'extension' | 'runners' | 'start' | 'webview';

/** Where a file belongs: its layer, and in host and webview-ui its folder. */
interface Place {
  readonly layer: Layer;
  readonly part: string;
}

const MAY_IMPORT: Record<Layer, readonly Layer[]> = {
  core: ['core'],
  contracts: ['contracts', 'core'],
  reader: ['reader', 'contracts', 'core'],
  engine: ['engine', 'contracts', 'core'],
  host: ['host', 'reader', 'contracts', 'core'],
  extension: ['host'],
  runners: ['runners'],
  start: ['start', 'engine', 'extension'],
  webview: ['webview', 'contracts', 'core'],
};

/** Those of core are pure JavaScript: they run in Node, in a browser and in a worker. */
const LIBRARIES: Record<Layer, readonly string[]> = {
  core: ['smol-toml', 'toml-eslint-parser', 'yaml', 'diff', 'fflate', 'fzstd', 'brotli', 're2js', '@noble/hashes'],
  contracts: [],
  reader: [],
  engine: [
    'diff',
    'eventsource-parser',
    '@modelcontextprotocol/sdk',
    'langsmith',
    '@peculiar/x509',
    'reflect-metadata',
    'ws',
  ],
  host: ['vscode'],
  extension: ['vscode'],
  // The runner that loads them has it.
  runners: ['vitest', '@playwright/test'],
  start: [],
  webview: [
    'preact',
    'diff',
    'micromark',
    'micromark-extension-gfm',
    'monaco-editor',
    'highlight.js',
    '@vscode/codicons',
  ],
};

/** Folders that every other folder of their layer may use; they use only each other, from left to right none. */
const SHARED: Partial<Record<Layer, readonly string[]>> = { host: ['engine', 'stores', 'base'], webview: ['base'] };

/** Data that is built into a bundle. */
const BUILT_IN_DATA = ['package.json'];

/** Where Node's modules are available: the engine, the reader, the files of the host that start these two, and what loads our chunks. */
const ON_NODE = [
  'src/engine/',
  'src/reader/',
  'src/runners/',
  'src/start/',
  'src/host/engine/engineProcess.ts',
  'src/host/tapes/readerThread.ts',
];

/** A promise, the rooms that keep it, and what no other file may do because it would go around them. */
interface Door {
  readonly promise: string;
  /** Folders (with `/` at the end) or files, from the project's folder. */
  readonly rooms: readonly string[];
  /** Modules of Node, or packages, that only the rooms import. Types are free: they do nothing. */
  readonly modules?: readonly string[];
  /** Files that only the rooms import. */
  readonly kept?: readonly string[];
  /** Code that only the rooms contain. */
  readonly code?: RegExp;
}

const DOORS: readonly Door[] = [
  {
    promise: 'no file exhausts the machine',
    // The start reads what the program is made of.
    rooms: ['src/engine/files/', 'src/reader/readFile.ts', 'src/start/'],
    modules: ['fs', 'fs/promises', 'zlib'],
  },
  { promise: 'no file exhausts the machine', rooms: ['src/core/bytes/'], modules: ['fflate', 'fzstd', 'brotli'] },
  {
    promise: 'a replay reaches nobody; a key goes only to its host',
    // What leads the clients of the user's tests to the proxy, in the user's process.
    rooms: ['src/engine/network/', 'src/runners/javascript/'],
    modules: ['http', 'https', 'http2', 'net', 'tls', 'dgram', 'dns', 'dns/promises', 'ws'],
    code: /(?<![.\w#])(?:globalThis\.)?(?:fetch\s*\(|new\s+(?:WebSocket|EventSource|XMLHttpRequest)\b)/,
  },
  {
    promise: 'a replay reaches nobody; a key goes only to its host',
    // It connects to its own thread, and to no port.
    rooms: ['src/engine/network/', 'src/reader/collectGarbage.ts'],
    modules: ['inspector'],
  },
  // Only what the user starts chooses what may be reached, and with which keys.
  {
    promise: 'a replay reaches nobody; a key goes only to its host',
    rooms: ['src/engine/network/', 'src/engine/commands/', 'src/engine/rpc/api.ts', 'src/engine/agentTools/tools.ts'],
    code: /\bNetworkPolicy\s*\.\s*for\b/,
  },
  // The value of a variable, wherever it goes.
  {
    promise: 'a replay reaches nobody; a key goes only to its host',
    rooms: ['src/engine/network/', 'src/engine/execution/external/plan.ts'],
    code: /\blistedVariable\b/,
  },
  {
    promise: 'nothing runs unasked',
    // The run of a test that is marked starts the engine.
    rooms: ['src/engine/process/', 'src/host/engine/engineProcess.ts', 'src/runners/javascript/engine.mjs'],
    modules: ['child_process', 'cluster'],
  },
  {
    promise: 'nothing runs unasked',
    rooms: ['src/engine/git/'],
    kept: ['safeGit', 'program', 'staging', 'objects', 'changedEntries'].map((name) => `src/engine/git/${name}.ts`),
  },
  // What it prints is taken as bytes, and only git's is.
  {
    promise: 'nothing runs unasked',
    rooms: ['src/engine/process/', 'src/engine/git/'],
    kept: ['src/engine/process/captureBytes.ts'],
  },
  {
    promise: 'nothing runs unasked',
    rooms: ['src/host/tapes/readerThread.ts', 'src/reader/main.ts', 'src/engine/readers/'],
    modules: ['worker_threads'],
  },
  {
    promise: 'no code is made of text',
    // The program's own chunks, as Node loads modules.
    rooms: ['src/start/chunkLoader.ts'],
    modules: ['vm'],
  },
  {
    promise: 'no code is made of text',
    rooms: [],
    code: /(?<![.\w#])(?:eval\s*\(|(?:new\s+)?Function\s*\()/,
  },
  {
    promise: 'no pattern hangs us',
    rooms: ['src/core/text/'],
    modules: ['re2js'],
    code: /(?<![.\w#])(?:new\s+)?RegExp\s*\(/,
  },
  {
    promise: 'one decision, one meaning',
    rooms: [
      'src/engine/review/',
      'src/engine/recording/recorder.ts',
      'src/core/review/decisions.ts',
      'src/core/cases/artifactFile.ts',
    ],
    kept: ['decisionFile', 'decisionHistory', 'fileSubject', 'runSubject', 'staging'].map(
      (name) => `src/engine/review/${name}.ts`,
    ),
    // The texts of decision files and baselines.
    code: /\b(?:writeDecisions|writeBaseline)\b|\brecorder\.baseline\s*\(/,
  },
  {
    promise: 'no secret is written',
    // A decision file holds ids and verdicts; the review also removes files.
    rooms: [
      'src/engine/files/',
      'src/engine/recording/',
      'src/engine/review/decisionFile.ts',
      'src/engine/review/decisionHistory.ts',
      'src/engine/review/fileSubject.ts',
      // The gate of a hook is our own text.
      'src/engine/hooks/',
      // What git-lfs would copy into its own folder.
      'src/engine/git/staging.ts',
    ],
    kept: ['src/engine/files/writeFile.ts', 'src/engine/files/changeFile.ts'],
  },
  {
    promise: 'nothing is read for a model, or written, outside of the project',
    // The user's own state, and what V8 compiled of the program, are all that is written elsewhere.
    rooms: [
      ...['changeFile', 'temporaryFolder', 'userState', 'launcher'].map((name) => `src/engine/files/${name}.ts`),
      'src/start/chunkLoader.ts',
    ],
    // What Node offers to change files, imported by name.
    code: /\bimport\s*\{[^}]*\b(?:appendFile|chmod|chown|copyFile|cp|createWriteStream|link|mkdir|mkdtemp|rename|rm|rmdir|symlink|truncate|unlink|utimes|writeFile|write)(?:Sync)?\b[^}]*\}\s*from\b/,
  },
  // A path that is called writable without being looked at.
  {
    promise: 'nothing is read for a model, or written, outside of the project',
    rooms: ['src/engine/files/projectPaths.ts'],
    code: /\bas WritablePath\b/,
  },
  {
    promise: 'nothing of a stranger is taken for ours, and nothing behind a link is removed',
    // Folders in the system's temporary folder are made by this process alone.
    rooms: ['src/engine/files/changeFile.ts', 'src/engine/files/temporaryFolder.ts'],
    code: /\brm(?:Sync)?\s*\([^;]*\brecursive\b/,
  },
  {
    promise: 'nothing of a stranger is taken for ours, and nothing behind a link is removed',
    rooms: ['src/engine/files/projectPaths.ts'],
    code: /\bas OwnFolder\b/,
  },
  // What is in the project's own folder, read or listed by another way than the one that asks whose it is.
  {
    promise: 'nothing of a stranger is taken for ours, and nothing behind a link is removed',
    rooms: ['src/engine/files/', 'src/engine/project/ownState.ts', 'src/host/'],
    code: /\bfilesBelow\b|\b(?:listFolder|walkFiles|read(?:Text|Bytes|Content)\w*)\s*\(\[?\s*join\s*\([^;]*?\b(?:(?:STATE|RUNS|TAKES|FORKS|JOURNAL|TRIALS)_FOLDER|LAST_TRIAL_PATH|SEARCH_INDEX_PATH|(?:artifact|runRecord|decision|forkBase)Path|(?:takes|stability|trialCell)Folder)\b/,
  },
  {
    promise: 'no secret is written',
    // The texts of tapes and artifacts, and what declares them to be searched.
    rooms: ['src/engine/recording/', 'src/core/', 'src/reader/', 'src/host/', 'webview-ui/'],
    code: /\b(?:searchedContent|writeArtifact|spliceTape)\b|\.serialise\s*\(|\bas\s+(?:unknown\s+as\s+)?(?:RecordedContent|Hidden)\b/,
  },
  {
    promise: 'no secret is written',
    // Copies of a file of the user's.
    rooms: [
      'src/engine/recording/',
      'src/engine/review/decisionHistory.ts',
      'src/engine/review/fileSubject.ts',
      'src/engine/commands/convert.ts',
      'src/engine/proxy/tape/replayCache.ts',
    ],
    code: /\bcopiedContent\b/,
  },
  {
    promise: 'no secret is written',
    // One recorder knows what is secret; everything else asks it.
    rooms: ['src/engine/recording/', 'src/core/secrets/', 'src/core/verify/'],
    kept: ['src/core/secrets/redactor.ts'],
  },
];

/** Around the doors, by name: a page loads a script of its own extension. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'webview-ui/review/diff/startEditorWorker.ts': 'a replay reaches nobody; a key goes only to its host',
};

/** What `source`, the text of the file at `path` from the project's folder, does against the layers and around the doors. */
export function violations(path: string, source: string): string[] {
  const place = placeOf(path);
  if (place === undefined) return [`${path} belongs to no layer`];
  const { code } = masked(source);
  const imports = importsOf(source);
  return [
    ...imports.flatMap((found) => importViolation(path, place, found) ?? []),
    ...DOORS.flatMap((door) => waysAround(door, path, imports, code)),
    // A page may load what it is told the address of; everything else is known when it is built.
    ...(place.layer !== 'webview' && /\bimport\s*\(\s*[^'\s]/.test(code) ? ['an import whose target is computed'] : []),
    ...(place.layer === 'core' ? impurities(code) : []),
    ...(['engine', 'reader'].includes(place.layer) ? pathsTakenApart(path, source) : []),
    ...(usesAny(code) ? ['the type any'] : []),
  ].map((what) => `${path}: ${what}`);
}

/** What a file does that only the rooms of a door may. */
function waysAround(
  { promise, rooms, modules = [], kept = [], code }: Door,
  path: string,
  imports: readonly Import[],
  text: string,
): string[] {
  if (rooms.some((room) => (room.endsWith('/') ? path.startsWith(room) : path === room))) return [];
  if (EXCEPTIONS[path] === promise) return [];
  const values = imports.filter(({ typeOnly }) => !typeOnly).map(({ specifier }) => specifier);
  const found = [
    ...values.filter((specifier) => modules.includes(moduleOf(specifier)) || kept.includes(fileOf(path, specifier))),
    ...(code?.exec(text) ?? []).slice(0, 1),
  ];
  return found.map((way) => `${way.trim()} goes around the door of "${promise}" (${rooms.join(', ') || 'nobody'})`);
}

/** The module as the doors name it: one of Node's without `node:`, a package without the path in it. */
function moduleOf(specifier: string): string {
  return isBuiltin(specifier) ? specifier.replace(/^node:/, '') : packageOf(specifier);
}

function fileOf(path: string, specifier: string): string {
  return `${posix.join(posix.dirname(path), specifier)}.ts`;
}

/** A cycle of imports among the direct children of a folder. */
export interface Cycle {
  /** From the project's folder; empty for the top. */
  readonly folder: string;
  /** Names of files and folders in it that reach each other. */
  readonly members: readonly string[];
  /** One import for each step of the cycle, as `a -> b`. */
  readonly imports: readonly string[];
}

/**
 * The cycles of a tree: in each folder, its files and sub-folders, taken as one each, must not reach each other in both
 * directions, types included. That covers cycles of files, and of folders at any depth.
 */
export function cyclesOf(files: ReadonlyMap<string, string>): Cycle[] {
  const folders = new Map<string, Map<string, Map<string, string>>>();
  for (const [from, to] of links(files)) {
    const fromParts = from.split('/');
    const toParts = to.split('/');
    let depth = 0;
    while (fromParts[depth] === toParts[depth]) depth += 1;
    const folder = fromParts.slice(0, depth).join('/');
    const graph = folders.get(folder) ?? new Map<string, Map<string, string>>();
    folders.set(folder, graph);
    const child = fromParts[depth] ?? '';
    const targets = graph.get(child) ?? new Map<string, string>();
    graph.set(child, targets.set(toParts[depth] ?? '', `${from} -> ${to}`));
  }
  return [...folders].flatMap(([folder, graph]) => cyclesIn(folder, graph));
}

function cyclesIn(folder: string, graph: ReadonlyMap<string, ReadonlyMap<string, string>>): Cycle[] {
  const reachable = (start: string): Set<string> => {
    const seen = new Set<string>();
    const open = [start];
    for (let next = open.pop(); next !== undefined; next = open.pop())
      for (const target of graph.get(next)?.keys() ?? []) {
        if (seen.has(target)) continue;
        seen.add(target);
        open.push(target);
      }
    return seen;
  };
  const reached = new Map([...graph.keys()].map((name) => [name, reachable(name)]));
  const found: Cycle[] = [];
  const reported = new Set<string>();
  for (const [name, targets] of reached) {
    if (reported.has(name) || !targets.has(name)) continue;
    const members = [...targets].filter((other) => reached.get(other)?.has(name)).sort();
    for (const member of members) reported.add(member);
    const inside = members.flatMap((from) =>
      [...(graph.get(from) ?? [])].filter(([to]) => members.includes(to)).map(([, link]) => link),
    );
    found.push({ folder, members, imports: inside });
  }
  return found;
}

/** Which file imports which, of those given. */
function* links(files: ReadonlyMap<string, string>): Generator<readonly [from: string, to: string]> {
  for (const [path, source] of files) {
    for (const { specifier } of importsOf(source)) {
      if (!specifier.startsWith('.')) continue;
      const target = posix.join(posix.dirname(path), specifier);
      const to = [target, `${target}.ts`, `${target}.tsx`, `${target}/index.ts`].find((name) => files.has(name));
      if (to !== undefined && to !== path) yield [path, to];
    }
  }
}

/** The imports and re-exports of a source text, static and dynamic, and the modules whose types it names. */
export function importsOf(source: string): Import[] {
  const { code, texts } = masked(source);
  const statements = code.matchAll(/\b(?:import|export)\s*(type\b)?(?:[^';()]*?\bfrom\s*)?\s*'#(\d+)'/g);
  const calls = code.matchAll(/(\btypeof\s+)?\b(?:import|require)\s*\(\s*'#(\d+)'/g);
  const specifier = (index: string | undefined): string => texts[Number(index)] ?? '';
  return [
    ...Array.from(statements, ([, type, index]) => ({ specifier: specifier(index), typeOnly: type !== undefined })),
    ...Array.from(calls, ([, type, index]) => ({ specifier: specifier(index), typeOnly: type !== undefined })),
  ];
}

function importViolation(path: string, from: Place, { specifier, typeOnly }: Import): string | undefined {
  const refusal = `imports ${specifier}`;
  if (isBuiltin(specifier)) return ON_NODE.some((place) => path.startsWith(place)) ? undefined : refusal;
  if (!specifier.startsWith('.')) return LIBRARIES[from.layer].includes(packageOf(specifier)) ? undefined : refusal;
  const target = posix.join(posix.dirname(path), specifier);
  if (BUILT_IN_DATA.includes(target)) return undefined;
  const to = placeOf(target);
  if (to === undefined || !MAY_IMPORT[from.layer].includes(to.layer)) return refusal;
  if (from.layer === 'contracts' && to.layer === 'core' && !typeOnly && !target.startsWith('src/core/schema/'))
    return `${refusal} not only for types`;
  if (isHiddenFormat(path, target)) return `${refusal}: only core/tapes/registry.ts imports a format`;
  return from.layer !== to.layer || mayUsePart(from, to) ? undefined : refusal;
}

const FORMATS = 'src/core/tapes/formats/';

/**
 * Whether the target is the inside of a tape format, which only the registry imports, and what loads one without the others: everything else uses the
 * members of `TapeFormat`. `formats/shared` is no format. The one exception is the schema of Flakestorm's replay sessions, which the
 * format and the code that runs a session share.
 */
function isHiddenFormat(path: string, target: string): boolean {
  if (!target.startsWith(FORMATS) || target.startsWith(`${FORMATS}shared/`)) return false;
  if (path === 'src/core/tapes/registry.ts' || path === 'src/core/tapes/piecewise.ts') return false;
  if (target === `${FORMATS}flakestorm/session`)
    return !/^src\/(?:core|engine)\/flakestorm\//.test(path) && formatOf(path) !== 'flakestorm';
  return formatOf(path) !== formatOf(target);
}

/** The folder of a format that a path is in. */
function formatOf(path: string): string | undefined {
  return path.startsWith(FORMATS) ? path.slice(FORMATS.length).split('/')[0] : undefined;
}

function mayUsePart({ layer, part: from }: Place, { part: to }: Place): boolean {
  const shared = SHARED[layer];
  if (shared === undefined || from === to) return true;
  // A feature is before all shared folders, and a shared folder may use those after it.
  return shared.indexOf(to) > shared.indexOf(from);
}

function placeOf(path: string): Place | undefined {
  const [top, second = '', third = ''] = path.split('/');
  if (top === 'webview-ui' && third !== '') return { layer: 'webview', part: second };
  if (top !== 'src') return undefined;
  if (/^extension(\.web)?(\.ts)?$/.test(second)) return { layer: 'extension', part: '' };
  if (second === 'host') return { layer: 'host', part: third };
  if (
    second === 'core' ||
    second === 'contracts' ||
    second === 'reader' ||
    second === 'engine' ||
    second === 'runners' ||
    second === 'start'
  )
    return { layer: second, part: '' };
  return undefined;
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** What takes paths apart by itself: those of URLs have `/` on every system. */
const PATHS_ROOMS = ['src/engine/files/', 'src/engine/network/', 'src/engine/proxy/routes/'];

/** A separator in the source makes a path of one system only, and `relative` of Node knows neither the prefix of long paths nor all letters. */
function pathsTakenApart(path: string, source: string): string[] {
  if (PATHS_ROOMS.some((room) => path.startsWith(room))) return [];
  const found = source.match(
    /\bimport\s*\{[^}]*\b(?:relative|sep)\b[^}]*\}\s*from\s*'node:path'|\.split\((?:['"`][\\/]+['"`]|sep)\)|\.replaceAll\('\\\\', '\/'\)/g,
  );
  return (found ?? []).map((way) => `${way} takes paths apart beside src/engine/files/paths.ts`);
}

/** Globals of one runtime only. */
function impurities(code: string): string[] {
  const globals = code.matchAll(
    /(?<![.\w#])(process|Buffer|window|navigator|localStorage|console|globalThis|setTimeout|setInterval|fetch)\b(?=[.(])/g,
  );
  return Array.from(globals, ([, name]) => `uses ${name}`);
}

function usesAny(code: string): boolean {
  return /(?:[:<|&]|=>|\bas|\bextends)\s*any\b(?!\s*[.(])|[,(]\s*any\s*[>,)|&]|\bany\[\]/.test(code);
}

const TOKENS = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

/** A source text without its comments, and with `'#n'` for its nth text, so that neither is taken for code. */
function masked(source: string): { readonly code: string; readonly texts: readonly string[] } {
  const texts: string[] = [];
  const code = source.replace(TOKENS, (token) => {
    if (token.startsWith('/')) return ' ';
    return `'#${texts.push(token.slice(1, -1)) - 1}'`;
  });
  return { code, texts };
}

const LEAKS: Record<string, RegExp> = {
  'an absolute path': /(?<![\w.-])\/(?:work|home|root|Users)\/[\w.-]/,
  'a registry host': /registry\.(?:npmjs|yarnpkg|npmmirror)\b/,
};

/** What the text of a committed file says about the machine it was written on. */
export function leaks(path: string, text: string, machine: string): string[] {
  const found = Object.entries(LEAKS).filter(([, pattern]) => pattern.test(text));
  const named = found.map(([what, pattern]) => `${path}: ${what} (${pattern.exec(text)?.[0]})`);
  // A short name, such as "vm", is a word like any other.
  if (machine.length >= 6 && text.includes(machine)) named.push(`${path}: the name of a machine (${machine})`);
  if (posix.basename(path) === 'package-lock.json' && /"resolved"\s*:\s*"(?!file:)/.test(text))
    named.push(`${path}: where packages were downloaded from ("resolved")`);
  return named;
}
