/** Formats text for a terminal; without colours, each function returns the text unchanged. */
export interface TextStyle {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

const same = (text: string): string => text;

export const PLAIN_STYLE: TextStyle = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

/** @param start Begins the sequences that switch a style on and off. */
export function ansiStyle(start = '\u001B['): TextStyle {
  const style = (on: number, off: number) => (text: string) =>
    text === '' ? text : `${start}${on}m${text}${start}${off}m`;
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    green: style(32, 39),
    yellow: style(33, 39),
    cyan: style(36, 39),
  };
}
