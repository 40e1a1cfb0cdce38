import * as vscode from 'vscode';
import { useTranslation } from '../../core/text/l10n';

/** Has this process, and the pages, threads and engine that it starts, speak the language of the editor if it is translated. */
export function speakAsEditor(): void {
  const { bundle } = vscode.l10n;
  if (bundle !== undefined) useTranslation({ language: vscode.env.language, messages: bundle });
}
