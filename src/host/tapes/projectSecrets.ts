import * as vscode from 'vscode';
import { CONFIG_FILE } from '../../core/project/layout';
import type { Environment } from '../../core/secrets/environmentSecrets';
import type { SecretSearch } from '../../core/secrets/secretSearch';
import { loadCore } from '../../reader/loadCore';

/** Values that are known to be secrets on this machine. */
export interface KnownSecrets {
  readonly environment: Environment;
  /** The keys in VS Code's secret storage. */
  stored(): Promise<readonly string[]>;
}

/** The search for secrets in the tapes of a project, which knows what the project's recorder hides. */
export class ProjectSecrets {
  #last: { readonly sources: string; readonly search: SecretSearch } | undefined;

  constructor(private readonly known?: KnownSecrets) {}

  async searchFor(tape: vscode.Uri): Promise<SecretSearch> {
    const { projectSearch, compilePattern, isRefused } = await loadCore();
    const patterns = await projectPatterns(tape);
    const stored = (await this.known?.stored()) ?? [];
    const sources = JSON.stringify([patterns, stored]);
    if (this.#last?.sources === sources) return this.#last.search;
    const search = projectSearch({
      values: stored,
      environments: this.known === undefined ? [] : [this.known.environment],
      patterns: patterns.flatMap((source) => {
        const pattern = compilePattern(source, 'javascript');
        return isRefused(pattern) ? [] : [pattern];
      }),
    });
    this.#last = { sources, search };
    return search;
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
