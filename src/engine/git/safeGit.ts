import { dirname } from 'node:path';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { captureBytes } from '../process/captureBytes';
import { gitProgram } from './program';

type Setting = readonly [key: string, value: string];

/** Whatever the repository configures, git starts no monitor, hook, pager or helper, asks nobody, and enters no other repository. */
const SETTINGS: readonly Setting[] = [
  ['core.fsmonitor', 'false'],
  ['core.useBuiltinFSMonitor', 'false'],
  ['core.virtualFilesystem', ''],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.askPass', ''],
  ['credential.helper', ''],
  ['protocol.allow', 'never'],
  ['safe.bareRepository', 'explicit'],
  ['submodule.recurse', 'false'],
  ['status.submoduleSummary', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['core.quotePath', 'false'],
];

/** What of the user's environment reaches git: where its own files are, and what a hook of a commit says about the index. */
const INHERITED = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SUDO_UID',
  'XDG_CONFIG_HOME',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'USERPROFILE',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'GIT_EXEC_PATH',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_GLOBAL',
  'GIT_INDEX_FILE',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
];

const ENVIRONMENT = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  // A path is that path, even if it has a `*` in it.
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  // Objects that a partial clone lacks are missing. Older versions know only the second, by which no fetch can begin.
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_TERMINAL_PROMPT: '0',
};

/** How one run of git differs from others. */
interface GitRun {
  readonly input?: string | Uint8Array;
  readonly environment?: Readonly<Record<string, string>>;
  /** How much git prints at most, where that is known and may be much. */
  readonly maxBytes?: number;
}

interface WarnedRun {
  readonly printed: Buffer;
  readonly warnings: string;
}

/**
 * git in one working tree, in such a way that it runs nothing that is configured, committed or lying there. Only this file
 * starts it.
 */
export class SafeGit {
  private constructor(
    readonly top: string,
    private readonly program: string,
    private readonly settings: readonly Setting[],
    /** The names of the filters that are configured, by the repository or by the user. */
    readonly filters: ReadonlySet<string>,
    /** The names of all settings, as git writes them. */
    readonly configured: ReadonlySet<string>,
  ) {}

  /** `top` is a folder with a `.git`, without links. */
  static async in(top: string): Promise<SafeGit> {
    const program = await gitProgram(top);
    const reader = new SafeGit(top, program, SETTINGS, new Set(), new Set());
    // Names may hold any character, so they are listed by git and never taken from a file.
    const listed = (await reader.run(['config', '--list', '--name-only', '-z'])).toString('utf8').split('\0');
    const filters = namesIn(listed, 'filter');
    const settings = [
      ...SETTINGS,
      ...[...filters].flatMap(withoutFilter),
      ...[...namesIn(listed, 'hook')].flatMap(withoutHook),
    ];
    return new SafeGit(top, program, settings, filters, new Set(listed));
  }

  /** Runs git and gives what it prints. Rejects with a `UserError` when it fails. */
  async run(args: readonly string[], options: GitRun = {}): Promise<Buffer> {
    return (await this.runWarned(args, options)).printed;
  }

  /** The same, with the warnings of a run that succeeds: untranslated, one to a line. */
  async runWarned(args: readonly string[], { input, environment = {}, maxBytes }: GitRun = {}): Promise<WarnedRun> {
    const { code, stdout, stderr } = await captureBytes({
      command: [this.program, '--no-pager', ...args],
      cwd: this.top,
      environment: { ...this.#environment(), ...environment },
      input,
      maxBytes,
    });
    if (code === 0) return { printed: stdout, warnings: stderr };
    const lines = stderr.trim().split('\n');
    throw failure(args[0] ?? '', lines.find((line) => line.startsWith('fatal: ')) ?? lines[0] ?? '');
  }

  /** The same, as text without the newline at its end. */
  async line(args: readonly string[], options: GitRun = {}): Promise<string> {
    return (await this.run(args, options)).toString('utf8').replace(/\n$/, '');
  }

  #environment(): Record<string, string> {
    const settings = [...inheritedSettings(), ...this.settings];
    return {
      ...Object.fromEntries(
        INHERITED.flatMap((name) => {
          const value = process.env[name];
          return value === undefined ? [] : [[name, value]];
        }),
      ),
      ...ENVIRONMENT,
      GIT_CEILING_DIRECTORIES: dirname(this.top),
      // Unlike with `-c`, a name may have a `=` in it. The last of equal names counts.
      GIT_CONFIG_COUNT: String(settings.length),
      ...Object.fromEntries(
        settings.flatMap(([key, value], index) => [
          [`GIT_CONFIG_KEY_${index}`, key],
          [`GIT_CONFIG_VALUE_${index}`, value],
        ]),
      ),
    };
  }
}

/** The settings that the user's environment has for git, such as `safe.directory` in a container. */
function inheritedSettings(): readonly Setting[] {
  const count = Number(process.env.GIT_CONFIG_COUNT ?? 0);
  if (!Number.isSafeInteger(count) || count < 0 || count > 1000) return [];
  return Array.from({ length: count }, (_, index): readonly Setting[] => {
    const key = process.env[`GIT_CONFIG_KEY_${index}`];
    const value = process.env[`GIT_CONFIG_VALUE_${index}`];
    return key === undefined || value === undefined ? [] : [[key, value]];
  }).flat();
}

/** `x` of `SECTION.x.anything`. A name may have dots. */
function namesIn(keys: readonly string[], section: string): ReadonlySet<string> {
  const named = keys.filter((key) => key.startsWith(`${section}.`) && key.indexOf('.') < key.lastIndexOf('.'));
  return new Set(named.map((key) => key.slice(section.length + 1, key.lastIndexOf('.'))));
}

/** An empty filter leaves the content as it is. */
function withoutFilter(name: string): readonly Setting[] {
  const empty = ['clean', 'smudge', 'process'].map((kind) => [`filter.${name}.${kind}`, ''] as const);
  return [...empty, [`filter.${name}.required`, 'false']];
}

/** Hooks that newer versions take from the configuration. An empty event forgets those before it. */
function withoutHook(name: string): readonly Setting[] {
  return [
    [`hook.${name}.enabled`, 'false'],
    [`hook.${name}.event`, ''],
  ];
}

function failure(command: string, reason: string): UserError {
  const lock = /'([^']*\.lock)': File exists/.exec(reason)?.[1];
  if (lock !== undefined)
    return new UserError(
      () => t('another git command is running in this repository: {0} exists', lock),
      () =>
        t('Wait until it finishes. If no git command is running, one was interrupted: delete that file and try again.'),
    );
  return new UserError(
    () => t('git {0} failed: {1}', command, reason),
    () => fixFor(reason),
  );
}

function fixFor(reason: string): string {
  if (/not a git repository/.test(reason)) return t('Restore the repository that .git names, or create one: git init');
  const foreign = /dubious ownership in repository at '(.*)'/.exec(reason)?.[1];
  if (foreign !== undefined) return t("If you trust it: git config --global --add safe.directory '{0}'", foreign);
  return t('Fix that, and try again.');
}
