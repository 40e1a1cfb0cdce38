import * as vscode from 'vscode';
import { useTranslation } from '../../core/text/l10n';

// Imported before the extension is activated: sets the language of this process, and of the pages, threads and engine that it
// starts, to that of the editor if it is translated.
const { bundle } = vscode.l10n;
if (bundle !== undefined) useTranslation({ language: vscode.env.language, messages: bundle });
