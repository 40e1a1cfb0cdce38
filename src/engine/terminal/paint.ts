import type { TextStyle } from '../../core/export/transcriptText';

/** Colours for a terminal. */
export type Paint = TextStyle;

export function createPaint(enabled: boolean): Paint {
  const style = (on: number, off: number) => (text: string) =>
    enabled && text !== '' ? `\u001B[${on}m${text}\u001B[${off}m` : text;
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    green: style(32, 39),
    yellow: style(33, 39),
    cyan: style(36, 39),
  };
}

/** Colour only on a terminal; NO_COLOR (no-color.org) turns it off, FORCE_COLOR turns it on in a pipe. */
export function wantsColour(isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return isTerminal && env.TERM !== 'dumb';
}
