import * as vscode from 'vscode';
import { ownTape } from '../../core/cases/toml/ownTape';
import { relativePath } from '../../core/project/layout';
import { tapeUris } from '../stores/cases/caseEntry';
import type { SessionParts } from './sessionParts';

interface Wanted {
  readonly folder: vscode.WorkspaceFolder;
  /** After what is recorded. */
  readonly name: string;
  /** Tapes that are being recorded, and no files yet. */
  readonly promised?: readonly vscode.Uri[];
}

/** A tape that there is not yet. */
export async function freeTape(
  { folder, name, promised = [] }: Wanted,
  { cases, tapes }: Pick<SessionParts['stores'], 'cases' | 'tapes'>,
): Promise<vscode.Uri> {
  await Promise.all([cases.load(), tapes.load()]);
  const fromRoot = (uri: vscode.Uri): string => relativePath(folder.uri.path, uri.path);
  const isHere = (uri: vscode.Uri): boolean => uri.path.startsWith(`${folder.uri.path}/`);
  const path = ownTape(
    {
      name,
      tapes: tapes.uris().filter(isHere).map(fromRoot),
      takenTapes: [...cases.all().flatMap(tapeUris), ...promised].filter(isHere).map(fromRoot),
      isAtRoot: true,
    },
    'tape.jsonl',
  );
  return vscode.Uri.joinPath(folder.uri, path);
}
