import { parse } from 'node:path';
import { escapeControls } from '../../core/text/escapeInvisible';
import { pathOfUser } from '../files/pathOfUser';
import { createPaint, type Paint, wantsColour } from './paint';

/**
 * The output of a command: results go to `print`, everything else to `note`. Whatever of it comes from a file, an
 * environment or a program reaches the screen without control characters.
 */
export interface Terminal {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted by the first Ctrl+C. */
  readonly signal: AbortSignal;
  /** Colours for `print`. */
  readonly paint: Paint;
  /** The width of the screen; undefined if the output goes to a file or another program. */
  readonly columns: number | undefined;
  /** Writes to stdout. */
  print(text: string): void;
  /** Writes a line to stderr. */
  note(text: string): void;
  /** Shows a line that the next one replaces, where stderr is a terminal; otherwise nothing. */
  progress(text: string): void;
}

const CLEAR_LINE = '\r\u001B[K';

export function createTerminal(signal: AbortSignal): Terminal {
  const { stdout, stderr, env } = process;
  // Stands for the beginning of a sequence of colour until a text is written. No file can know it.
  const colour = wantsColour(stdout.isTTY, env) ? `<${crypto.randomUUID()}>` : undefined;
  const replaceColour = (text: string, by: string): string =>
    colour === undefined ? text : text.replaceAll(colour, by);
  const shownText = (text: string): string => replaceColour(escapeControls(text), '\u001B[');
  let shown = false;
  const clear = (): void => {
    if (shown) stderr.write(CLEAR_LINE);
    shown = false;
  };
  return {
    cwd: pathOfUser(parse(process.cwd()).root, process.cwd()),
    env,
    signal,
    paint: createPaint(colour !== undefined, colour),
    columns: (stdout.isTTY && stdout.columns) || undefined,
    print(text) {
      clear();
      stdout.write(shownText(text));
    },
    note(text) {
      clear();
      stderr.write(`${shownText(text)}\n`);
    },
    progress(text) {
      if (!stderr.isTTY) return;
      clear();
      if (text === '') return;
      stderr.write(escapeControls(replaceColour(text, '')).slice(0, (stderr.columns || 80) - 1));
      shown = true;
    },
  };
}
