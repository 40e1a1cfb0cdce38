import * as vscode from 'vscode';
import { trusted, where } from '../../core/schema/schema';

// What VS Code and other extensions pass, and JSON does not have, for schemas.

export const uri = where(trusted<unknown>(), (value): value is vscode.Uri => value instanceof vscode.Uri);

export const callable = where(trusted<unknown>(), (value) => typeof value === 'function');
