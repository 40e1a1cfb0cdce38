import type { TextDocument } from 'vscode';
import { CONFIG_FILE } from '../../../core/project/layout';

/** Whether a document is the settings of a project. */
export function isConfig({ uri }: Pick<TextDocument, 'uri'>): boolean {
  return isConfigPath(uri.path);
}

export function isConfigPath(path: string): boolean {
  return path.endsWith(`/${CONFIG_FILE}`);
}
