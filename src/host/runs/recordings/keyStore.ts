import * as vscode from 'vscode';
import { t } from '../../../core/text/l10n';
import { registerCommand } from '../../base/commands';
import { HumanError } from '../../base/humanError';
import type { Log } from '../../base/log';

const PREFIX = 'tapedeck.key.';
const NAMES = 'tapedeck.keyNames';

/** Provider keys by environment variable, kept in VS Code's SecretStorage. Those of the environment take precedence. */
export class KeyStore {
  constructor(
    private readonly secrets: vscode.SecretStorage,
    /** Keeps the names of stored keys, never their values. */
    private readonly memory: vscode.Memento,
  ) {}

  /** The stored keys: all, or those among `names`. */
  async stored(names: readonly string[] = this.names()): Promise<Record<string, string>> {
    const found = await Promise.all(names.map(async (name) => [name, await this.secrets.get(PREFIX + name)] as const));
    return Object.fromEntries(found.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  }

  /** The values of all stored keys. */
  async all(): Promise<readonly string[]> {
    return Object.values(await this.stored());
  }

  /** Asks for a key and stores it. */
  async ask(suggestion = 'OPENAI_API_KEY'): Promise<void> {
    const name = await vscode.window.showInputBox({
      title: t('Tapedeck: Set Provider Key (1/2)'),
      prompt: t('The environment variable that the case reads, as in api_key_env'),
      value: suggestion,
      validateInput: (value) => (/^[A-Za-z_]\w*$/.test(value) ? undefined : t('Use letters, digits and _ only.')),
    });
    if (name === undefined) return;
    const value = await vscode.window.showInputBox({
      title: t('Tapedeck: Set Provider Key (2/2)'),
      prompt: t("The key for {0}. It is stored in VS Code's secret storage and nowhere else.", name),
      password: true,
      ignoreFocusOut: true,
      validateInput: (text) => (text.trim() === '' ? t('Enter the key.') : undefined),
    });
    if (value === undefined) return;
    await this.secrets.store(PREFIX + name, value.trim());
    await this.memory.update(NAMES, [...new Set([...this.names(), name])]);
    void vscode.window.setStatusBarMessage(t('Tapedeck: key for {0} stored', name), 5000);
  }

  /** Lets the user choose a stored key and deletes it. */
  async remove(): Promise<void> {
    const names = this.names();
    if (names.length === 0)
      throw new HumanError(
        t('Tapedeck has no stored provider keys. It does not manage keys in environment variables.'),
      );
    const name = await vscode.window.showQuickPick([...names], { title: t('Tapedeck: Remove Provider Key') });
    if (name === undefined) return;
    await this.secrets.delete(PREFIX + name);
    await this.memory.update(
      NAMES,
      names.filter((other) => other !== name),
    );
  }

  /** The names of the stored keys. */
  names(): readonly string[] {
    return this.memory.get<readonly string[]>(NAMES, []);
  }
}

export function registerKeyCommands(keys: KeyStore, log: Log): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('tapedeck.setKey', log, () => keys.ask()),
    registerCommand('tapedeck.removeKey', log, () => keys.remove()),
  );
}
