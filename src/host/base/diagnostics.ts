import * as vscode from 'vscode';
import type { Problem, Severity } from '../../core/text/source';

export const DIAGNOSTIC_SOURCE = 'Tapedeck';

const SEVERITY: Record<Severity, vscode.DiagnosticSeverity> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
};

/** A problem as the Problems view shows it: what is wrong and, on the next line, how to fix it. */
export function toDiagnostic({ message, fix, severity }: Problem, range: vscode.Range): vscode.Diagnostic {
  const text = fix === undefined ? message : `${message}\n${fix}`;
  const diagnostic = new vscode.Diagnostic(range, text, SEVERITY[severity]);
  diagnostic.source = DIAGNOSTIC_SOURCE;
  return diagnostic;
}
