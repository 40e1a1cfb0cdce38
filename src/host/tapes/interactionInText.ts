import type * as vscode from 'vscode';
import { tapeReading } from '../base/tapeReading';

/** The interaction (from 0) at a place of a tape's text; undefined where there is none, or where the text is no tape. */
export async function interactionInText(
  document: vscode.TextDocument,
  place: vscode.Position,
): Promise<number | undefined> {
  const { interactionAt, readTape, tapeFileFromText } = await tapeReading();
  const tape = readTape(tapeFileFromText(document.getText(), document.uri.path));
  return tape && interactionAt(tape.interactions, document.offsetAt(place));
}
