import type { TextStyle } from '../../core/export/transcriptText';

/** Colours for a terminal. */
export type Paint = TextStyle;

/** @param start Begins the sequences that switch a style on and off. */
export function createPaint(enabled: boolean, start = '\u001B['): Paint {
  const style = (on: number, off: number) => (text: string) =>
    enabled && text !== '' ? `${start}${on}m${text}${start}${off}m` : text;
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
