import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { sha256Hex } from '../../../src/core/hash/digest';
import { scripted, tapeOf } from '../../harness/builtEngine';
import { cli } from '../../harness/inProcess';
import { Random } from '../random';

export { Random };

/** What stands in everything of a stranger's: it may be in nothing that a command prints or writes. */
const CANARY = 'canary-4711';
const ANSWERS = ['hello from the tape', 'and a second answer'];
const TAPE = 'tapes/x.tape.json';
const practising = (tape: string) =>
  `name = "n"\nprompt = "hi"\n[llm]\ntape = "${tape}"\n[llm.provider]\nkind = "practice"\n`;

/** Cases, of which some have names that lead somewhere, where a folder has theirs. */
const CASES: Readonly<Record<string, string>> = {
  'a.toml': scripted('a', ['one'], '[assert]\ncontains = "o"'),
  'b.toml': practising(TAPE),
  '.git.toml': practising('tapes/git.tape.json'),
  '..toml': practising('tapes/dot.tape.json'),
  'src.toml': practising('tapes/src.tape.json'),
  'deep/.git.toml': scripted('deep', ['deep']),
};

const SOURCES: Readonly<Record<string, string>> = {
  'tapedeck.toml': '',
  'README.md': '# Mine\n',
  'src/main.py': 'print("mine")\n',
  'src/a.ts': 'mine\n',
  [TAPE]: tapeOf('b', ANSWERS),
  ...CASES,
};

/** What a stranger wants to be read, or written. */
const OUTSIDE: Readonly<Record<string, string>> = {
  'keys.txt': CANARY,
  'a.artifact.json': artifact(),
  'a.result.json': JSON.stringify({ version: 1, status: 'passed', message: CANARY }),
  'a.json': JSON.stringify({ version: 1, decisions: {}, reason: CANARY }),
  'x.tape.json': tapeOf(CANARY, [CANARY, CANARY]),
  'takes/2026-01-01T00-00-00.000Z.json': tapeOf(CANARY, [CANARY]),
  'a.jsonl': journal('tapes/x2.tape.jsonl'),
  'journal/a.jsonl': journal('tapes/x2.tape.jsonl'),
  'search.json': JSON.stringify({ version: 1, tapes: { [TAPE]: CANARY } }),
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/config': '[core]\n',
  'src/a.ts': 'theirs',
};

function artifact(): string {
  return JSON.stringify({
    version: 1,
    case_name: 'a',
    status: 'passed',
    output_text: CANARY,
    tool_calls: [],
    assertions: [],
  });
}

function journal(tape: string, base?: string, says = CANARY): string {
  const by = { pid: 999_999, machine: 'x' };
  const text = (content: object) => ({ type: 'text', text: JSON.stringify(content) });
  const http = {
    method: 'POST',
    url: 'https://api.openai.com/v1/chat/completions',
    requestHeaders: [],
    requestBody: text({ model: 'x', messages: [] }),
    status: 200,
    responseHeaders: [],
    responseBody: text({ choices: [{ message: { role: 'assistant', content: says } }] }),
  };
  const head = { journal: 1, tape, append: false, since: '2026-01-01T00:00:00.000Z', by, ...(base && { base }) };
  return [head, { number: 0, http }].map((line) => JSON.stringify(line)).join('\n');
}

const FOLDERS = [
  '',
  'runs',
  'runs/deep',
  'reviews',
  'reviews/tapes',
  'takes',
  'takes/tapes',
  `takes/${TAPE}`,
  'stability',
  'stability/b',
  'stability/.git',
  'stability/src',
  'trials',
  'trials/b',
  'trials/.git',
  'journal',
  'forks',
  'forks/0123456789ab',
  'cache',
  'tmp',
];

/** Files of each kind, with what a stranger writes there. */
const FILES: Readonly<Record<string, string>> = {
  'runs/a.artifact.json': artifact(),
  'runs/a.result.json': OUTSIDE['a.result.json'] ?? '',
  'runs/b.artifact.json': artifact(),
  'runs/.git.artifact.json': artifact(),
  'reviews/a.json': OUTSIDE['a.json'] ?? '',
  'reviews/tapes/x.tape.json.decisions.json': OUTSIDE['a.json'] ?? '',
  [`takes/${TAPE}/2026-01-01T00-00-00.000Z.json`]: tapeOf(CANARY, [CANARY]),
  'stability/b/take-1/x.tape.json': tapeOf(CANARY, [CANARY]),
  'trials/trial.json': JSON.stringify({
    version: 1,
    cases: ['../../outside/x.toml', 'b.toml', CANARY],
    models: ['../../..', 'm'],
  }),
  'trials/b/m-0123456789ab/1/result.json': JSON.stringify({ version: 1, status: 'passed', output: CANARY }),
  'journal/a.jsonl': journal('tapes/x2.tape.jsonl'),
  'forks/0123456789ab/x.tape.json': tapeOf(CANARY, [CANARY]),
  'cache/search.json': OUTSIDE['search.json'] ?? '',
  'cache/verified.json': JSON.stringify({ version: 1, files: { [TAPE]: CANARY } }),
  '.gitignore': `!${CANARY}`,
};

const TARGETS = [
  'outside',
  'outside/journal',
  'outside/takes',
  'outside/src',
  'project',
  'project/.git',
  'project/src',
  'project/tapes',
  'project/.tapedeck',
  'nowhere',
];
const FILE_TARGETS = [
  ...Object.keys(OUTSIDE).map((path) => `outside/${path}`),
  'project/README.md',
  'project/src/main.py',
  'project/.git/config',
  'outside/new',
];

/** Tapes that a journal names, and the copies of forks that it says are its own. */
const NAMED = [
  '../outside/new.tape.jsonl',
  '/OUTSIDE/new.tape.jsonl',
  '.git/hooks/pre-commit',
  '.git/config',
  'README.md',
  'src/main.py',
  'tapedeck.toml',
  '.tapedeck/runs/a.artifact.json',
  'tapes/../../outside/keys.txt',
  'tapes/new.tape.jsonl',
  '.vscode/settings.json',
];
const BASES = [
  undefined,
  '.tapedeck/forks/.git/HEAD',
  '.tapedeck/forks/../../src/a.ts',
  'src/a.ts',
  '../outside/keys.txt',
  '.tapedeck/forks/0123456789ab/x.tape.json',
];

/** What is done to `.tapedeck`, in words. */
type Attack = (tree: Tree, random: Random) => string | undefined;

const ATTACKS: readonly Attack[] = [
  (tree, random) => tree.link(one(random, FOLDERS), one(random, TARGETS)),
  (tree, random) => tree.link(one(random, FOLDERS), one(random, TARGETS)),
  (tree, random) => tree.link(one(random, Object.keys(FILES)), one(random, FILE_TARGETS)),
  (tree, random) => {
    const path = one(random, Object.keys(FILES));
    return tree.commit(path, FILES[path] ?? '');
  },
  (tree, random) =>
    tree.commit(`${one(random, FOLDERS.slice(1))}/theirs-${random.below(9)}.json`, tapeOf(CANARY, [CANARY])),
  (tree, random) =>
    tree.forge(
      'journal/forged.jsonl',
      journal(one(random, NAMED).replace('/OUTSIDE', tree.outside), one(random, BASES), 'forged'),
    ),
  (tree, random) =>
    tree.forge(
      one(
        random,
        Object.keys(FILES).filter((path) => /cache|trial|gitignore|result/.test(path)),
      ),
      random.pick(['{', '[]', '{"version":1e999}', '{"__proto__":{"x":1}}', '\0']) ?? '',
    ),
  (tree, random) =>
    tree.forge(
      `${one(random, FOLDERS.slice(1))}/.git/config`,
      `[core]\n\tfsmonitor = touch ${tree.outside}/ran\n\thooksPath = ${tree.outside}\n`,
    ),
  (tree, random) => tree.link(`${one(random, FOLDERS.slice(1))}/here`, one(random, TARGETS)),
];

function one<T>(random: Random, items: readonly T[]): T {
  return random.pick(items) as T;
}

/** A project whose `.tapedeck` came from a stranger, beside a folder that is none of its business. */
export class Tree {
  readonly project: string;
  readonly outside: string;
  readonly attacks: string[] = [];

  constructor(private readonly root: string) {
    this.project = join(root, 'project');
    this.outside = join(root, 'outside');
  }

  /** The same as a project of which cases have been run, with these attacks. */
  static from(template: string, root: string, random: Random): Tree {
    cpSync(template, root, { recursive: true, verbatimSymlinks: true });
    const tree = new Tree(root);
    if (random.chance(0.2)) rmSync(join(tree.project, '.tapedeck'), { recursive: true });
    for (let count = 1 + random.below(4); count > 0; count -= 1) {
      const said = one(random, ATTACKS)(tree, random);
      if (said !== undefined) tree.attacks.push(said);
    }
    tree.age();
    return tree;
  }

  link(place: string, target: string): string | undefined {
    const path = this.#place(place);
    if (path === undefined) return undefined;
    rmSync(path, { recursive: true, force: true });
    const whole = join(this.root, target);
    symlinkSync(place.length % 2 === 0 ? whole : relative(dirname(path), whole) || '.', path);
    return `${place || '.tapedeck'} is a link to ${target}`;
  }

  commit(place: string, text: string): string | undefined {
    if (this.forge(place, text) === undefined) return undefined;
    this.git('add', '-f', `.tapedeck/${place}`);
    this.git('commit', '-q', '--allow-empty', '-m', 'theirs');
    return `${place} is committed`;
  }

  forge(place: string, text: string): string | undefined {
    const path = this.#place(place);
    if (path === undefined || existsSync(path))
      rmSync(path ?? join(this.root, 'nothing'), { recursive: true, force: true });
    if (path === undefined) return undefined;
    writeFileSync(path, text);
    return `${place} is forged`;
  }

  /** Its place below `.tapedeck`, whose folder is made; undefined where a link or a file is in the way. */
  #place(place: string): string | undefined {
    const path = join(this.project, '.tapedeck', place);
    let folder = this.project;
    for (const name of relative(this.project, dirname(path)).split(sep)) {
      folder = join(folder, name);
      const status = lstatSync(folder, { throwIfNoEntry: false });
      if (status === undefined) break;
      if (!status.isDirectory()) return undefined;
    }
    mkdirSync(dirname(path), { recursive: true });
    return path;
  }

  /** No recorder that cannot be seen from here is at work on a journal. */
  age(): void {
    const folder = join(this.project, '.tapedeck/journal');
    const hourAgo = new Date(Date.now() - 3_600_000);
    for (const name of lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [])
      if (lstatSync(join(folder, name)).isFile()) utimesSync(join(folder, name), hourAgo, hourAgo);
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.project, encoding: 'utf8' });
  }

  /** All files below the root and what they are, links not followed. */
  state(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    const visit = (path: string): void => {
      const status = lstatSync(path);
      const name = relative(this.root, path);
      if (status.isSymbolicLink()) found.set(name, `link to ${readlinkSync(path)}`);
      else if (status.isDirectory()) for (const entry of readdirSync(path)) visit(join(path, entry));
      else found.set(name, sha256Hex(readFileSync(path)));
    };
    visit(this.root);
    return found;
  }

  /** What git tracks below `.tapedeck`, by its path from the root of the tree. */
  tracked(): ReadonlySet<string> {
    return new Set(
      this.git('ls-files', '-z', '.tapedeck')
        .split('\0')
        .filter(Boolean)
        .map((path) => `project/${path}`),
    );
  }
}

/** Makes the project from which all trees are made; returns its folder, which the caller removes. */
export async function makeTemplate(root: string): Promise<string> {
  const template = join(root, 'template');
  const write = (folder: string, files: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(template, folder, path)), { recursive: true });
      writeFileSync(join(template, folder, path), text);
    }
  };
  write('outside', OUTSIDE);
  write('project', SOURCES);
  const tree = new Tree(template);
  tree.git('init', '-q', '-b', 'main');
  tree.git('config', 'user.email', 'someone@example.com');
  tree.git('config', 'user.name', 'Someone');
  await cli(tree.project, ['run', '--record', 'b.toml']);
  await cli(tree.project, ['run', '--update-baselines']);
  tree.git('add', '.');
  tree.git('commit', '-q', '-m', 'first');
  writeFileSync(join(tree.project, 'a.toml'), scripted('a', ['two'], '[assert]\ncontains = "w"'));
  await cli(tree.project, ['run']);
  await cli(tree.project, ['stability', 'b.toml', '-n', '2']);
  return template;
}

/** Every command, with what may change beside what is in `.tapedeck`. */
const COMMANDS: readonly (readonly [args: readonly string[], mayChange: RegExp])[] = [
  [['check'], NOTHING()],
  [['check', '--json'], NOTHING()],
  [['check', '--staged'], NOTHING()],
  [['check', '--since', 'HEAD'], NOTHING()],
  [['recover'], NOTHING()],
  [['takes', TAPE, '--json'], NOTHING()],
  [['search', 'hello'], NOTHING()],
  [['search', CANARY.slice(0, 6)], NOTHING()],
  [['verify'], NOTHING()],
  [['verify', '--json'], NOTHING()],
  [['formats'], NOTHING()],
  [['layout', TAPE], NOTHING()],
  [['inspect', TAPE], NOTHING()],
  [['diff', TAPE, 'tapes/git.tape.json'], NOTHING()],
  [['review', '--html', 'out/review.html'], /^project\/out\//],
  [['run'], NOTHING()],
  [['run', '--json', '--jobs', '1'], NOTHING()],
  [['accept', 'a.toml'], /^project\/a\.baseline\.json$/],
  [['reject', 'a.toml'], NOTHING()],
  [['run', '--update-baselines'], /\.baseline\.json$/],
  [['run', '--record', '.'], /^project\/tapes\//],
  [['stability', 'b.toml', '-n', '2'], NOTHING()],
  [['stability', '.git.toml', '-n', '2'], NOTHING()],
  [['stability', '..toml', '-n', '2'], NOTHING()],
  [['stability', 'src.toml', '-n', '2'], NOTHING()],
  [['trial', 'b.toml', '.git.toml', '--model', 'm', '-n', '1'], NOTHING()],
  [['trial', '--adopt', 'm'], /^project\/tapes\//],
  [['fork', 'b.toml', '--from', '1', '--out', 'tapes/fork.tape.json'], /^project\/tapes\/fork/],
  [['accept', '--stage'], NOTHING()],
  [['accept', '.'], /\.baseline\.json$/],
  [['takes', TAPE, '--restore', '2026-01-01T00-00-00.000Z.json'], /^project\/tapes\/x\.tape\.json$/],
  [['reject', '.'], /^project\/tapes\/|\.baseline\.json$/],
  [['convert', TAPE, 'out/c.har', '--to', 'har'], /^project\/out\//],
  [['exec', '--tape', TAPE, '--', 'true'], NOTHING()],
  [['exec', '--record', '--allow-none', '--tape', 'tapes/n.tape.jsonl', '--', 'true'], /^project\/tapes\/n\./],
  [['exec', '--auto', '--tape', TAPE, '--', 'true'], NOTHING()],
  [['merge', '.tapedeck/runs/a.result.json'], NOTHING()],
  // A journal that git does not track is the user's, and names a new tape in the project.
  [['recover', '--save'], /^project\/(?!\.git).*\/new\.tape\.jsonl$/],
  [['recover', '--discard'], NOTHING()],
];

function NOTHING(): RegExp {
  return /^$/;
}

/** What git itself writes, when files are staged or looked at. */
const OF_GIT = /^project\/\.git\/(?:index$|objects\/)/;

/** What is done in a project, and what it may change beside what is in `.tapedeck`. */
interface Step {
  readonly name: string;
  readonly mayChange: RegExp;
  /** Runs it, and returns what it printed. */
  run(project: string): Promise<string>;
}

const STEPS: readonly Step[] = COMMANDS.map(([args, mayChange]) => ({
  name: args.join(' '),
  mayChange,
  run: async (project) => {
    const { stdout, stderr } = await cli(project, args);
    // What a search looks for is in what it prints, and a file that is named is read.
    return args[0] === 'search' || args[0] === 'merge' ? '' : stdout + stderr;
  },
}));

/** Takes every step in a tree, by default all commands, and says what was read or changed that is not the user's. */
export async function faultsIn(tree: Tree, steps = STEPS): Promise<readonly string[]> {
  const faults: string[] = [];
  const tracked = tree.tracked();
  let before = tree.state();
  for (const { name, mayChange, run } of steps) {
    const said = await run(tree.project).catch((error: unknown) => {
      faults.push(`${name}: ${error instanceof Error ? error.stack : error}`);
      return '';
    });
    const told = said.split('\n').find((line) => line.includes(CANARY));
    if (told !== undefined) faults.push(`${name}: told ${told.slice(0, 200)}`);
    const after = tree.state();
    for (const path of new Set([...before.keys(), ...after.keys()])) {
      if (before.get(path) === after.get(path)) continue;
      if (isOurs(path, before, tracked) || OF_GIT.test(path) || mayChange.test(path)) continue;
      faults.push(`${name}: ${path} ${!before.has(path) ? 'is new' : after.has(path) ? 'was written' : 'is gone'}`);
    }
    before = after;
  }
  return faults;
}

/** Folders that a command empties before it fills them: a link in one goes, and what it leads to stays. */
const EMPTIED = /^project\/\.tapedeck\/(?:stability|trials)\/./;

function isOurs(path: string, before: ReadonlyMap<string, string>, tracked: ReadonlySet<string>): boolean {
  if (!path.startsWith('project/.tapedeck/') || tracked.has(path)) return false;
  return before.get(path)?.startsWith('link') !== true || EMPTIED.test(path);
}
