import * as vscode from 'vscode';
import { CONFIG_FILE } from '../../../core/project/layout';
import type { Environment } from '../../../core/secrets/environmentSecrets';
import type { SecretSearch } from '../../../core/secrets/secretSearch';
import type { SecretSearches, SecretSources } from '../../../core/secrets/secretSources';
import { declareLayouts } from '../../../core/tapes/declaredLayouts';
import { loadCore } from '../../../reader/loadCore';
import { watchFiles } from '../files/workspaceFiles';

/** Values that are known to be secrets on this machine. */
export interface KnownSecrets {
  readonly environment: Environment;
  /** The keys in VS Code's secret storage. */
  stored(): Promise<readonly string[]>;
}

/** The search for secrets in the tapes of a project, which knows what the project's recorder hides. */
export class ProjectSecrets implements vscode.Disposable {
  /** The patterns for each folder, until any `tapedeck.toml` changes: thousands of tapes share them. */
  readonly #patterns = new Map<string, Promise<readonly string[]>>();
  #watcher: vscode.Disposable | undefined;
  #searches: SecretSearches | undefined;

  /** @param known Absent if no secrets are known, as in a browser. */
  constructor(private readonly known?: KnownSecrets) {}

  /** What the search in each of these tapes is made of. Tapes of one folder have the same object. */
  async sourcesForAll(tapes: readonly vscode.Uri[]): Promise<readonly SecretSources[]> {
    const values = (await this.known?.stored()) ?? [];
    const byFolder = new Map<string, Promise<SecretSources>>();
    const sourcesFor = (tape: vscode.Uri): Promise<SecretSources> => {
      const folder = tape.path.slice(0, tape.path.lastIndexOf('/'));
      const known = byFolder.get(folder) ?? this.#patternsFor(tape).then((patterns) => ({ values, patterns }));
      byFolder.set(folder, known);
      return known;
    };
    return Promise.all(tapes.map(sourcesFor));
  }

  async searchFor(tape: vscode.Uri): Promise<SecretSearch> {
    return (await this.#ownSearches()).of(await this.#sourcesFor(tape));
  }

  /** What the result of the search in a tape depends on, as a short text. */
  async stampFor(tape: vscode.Uri): Promise<string> {
    return (await this.#ownSearches()).stampOf(await this.#sourcesFor(tape));
  }

  dispose(): void {
    this.#watcher?.dispose();
  }

  async #sourcesFor(tape: vscode.Uri): Promise<SecretSources> {
    const [sources] = await this.sourcesForAll([tape]);
    return sources ?? { values: [], patterns: [] };
  }

  async #ownSearches(): Promise<SecretSearches> {
    const { SecretSearches } = await loadCore();
    this.#searches ??= new SecretSearches(this.known?.environment);
    return this.#searches;
  }

  /** `[redact] patterns` of the nearest `tapedeck.toml`; none if that is absent, or invalid, which runs report. */
  async #patternsFor(tape: vscode.Uri): Promise<readonly string[]> {
    const root = vscode.workspace.getWorkspaceFolder(tape)?.uri;
    if (root === undefined) return [];
    this.#watcher ??= watchFiles([`**/${CONFIG_FILE}`], () => this.#patterns.clear());
    return this.#patternsIn(parentOf(tape), root);
  }

  #patternsIn(folder: vscode.Uri, root: vscode.Uri): Promise<readonly string[]> {
    const key = folder.toString();
    const known = this.#patterns.get(key) ?? this.#readPatterns(folder, root);
    this.#patterns.set(key, known);
    return known;
  }

  async #readPatterns(folder: vscode.Uri, root: vscode.Uri): Promise<readonly string[]> {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, CONFIG_FILE)).then(
      (content) => content,
      () => undefined,
    );
    if (bytes !== undefined) {
      const { readConfig } = await loadCore();
      const { proxy, layouts = [] } = readConfig(new TextDecoder().decode(bytes)).value ?? {};
      declareLayouts(folder.path, layouts);
      return proxy?.redactPatterns ?? [];
    }
    const parent = parentOf(folder);
    return parent.path.startsWith(root.path) && folder.path !== root.path ? this.#patternsIn(parent, root) : [];
  }
}

function parentOf(uri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(uri, '..');
}
