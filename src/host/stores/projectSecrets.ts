import * as vscode from 'vscode';
import { CONFIG_FILE } from '../../core/project/layout';
import type { Environment } from '../../core/secrets/environmentSecrets';
import type { SecretSearch } from '../../core/secrets/secretSearch';
import type { SecretSearches, SecretSources } from '../../core/secrets/secretSources';
import { loadCore } from '../../reader/loadCore';

/** Values that are known to be secrets on this machine. */
export interface KnownSecrets {
  readonly environment: Environment;
  /** The keys in VS Code's secret storage. */
  stored(): Promise<readonly string[]>;
}

/** How long the patterns of a folder are used before its `tapedeck.toml` is read again: thousands of tapes share it. */
const PATTERNS_MS = 1000;

/** The search for secrets in the tapes of a project, which knows what the project's recorder hides. */
export class ProjectSecrets {
  readonly #patterns = new Map<string, { readonly at: number; readonly found: Promise<readonly string[]> }>();
  #searches: SecretSearches | undefined;

  /** @param known Absent where no secrets are known, as in a browser. */
  constructor(private readonly known?: KnownSecrets) {}

  /** What the search in a tape is made of, besides the environment. */
  async sourcesFor(tape: vscode.Uri): Promise<SecretSources> {
    const values = (await this.known?.stored()) ?? [];
    return { values, patterns: await this.#patternsFor(tape) };
  }

  async searchFor(tape: vscode.Uri): Promise<SecretSearch> {
    const { SecretSearches } = await loadCore();
    this.#searches ??= new SecretSearches(this.known?.environment);
    return this.#searches.of(await this.sourcesFor(tape));
  }

  #patternsFor(tape: vscode.Uri): Promise<readonly string[]> {
    const folder = parentOf(tape).toString();
    const known = this.#patterns.get(folder);
    if (known !== undefined && Date.now() - known.at < PATTERNS_MS) return known.found;
    const found = projectPatterns(tape);
    this.#patterns.set(folder, { at: Date.now(), found });
    return found;
  }
}

/** `[redact] patterns` of the nearest `tapedeck.toml`; none where that is absent, or invalid, which runs report. */
async function projectPatterns(tape: vscode.Uri): Promise<readonly string[]> {
  const root = vscode.workspace.getWorkspaceFolder(tape)?.uri;
  for (
    let folder = parentOf(tape);
    root !== undefined && folder.path.startsWith(root.path);
    folder = parentOf(folder)
  ) {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, CONFIG_FILE)).then(
      (content) => content,
      () => undefined,
    );
    if (bytes !== undefined)
      return (await loadCore()).readConfig(new TextDecoder().decode(bytes)).value?.proxy.redactPatterns ?? [];
    if (folder.path === root.path || folder.path === '/') break;
  }
  return [];
}

function parentOf(uri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(uri, '..');
}
