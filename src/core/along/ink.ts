/** How words are set apart where text can be coloured; each gives the text back as it is where it cannot. */
export interface Ink {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

const same = (text: string): string => text;

export const NO_INK: Ink = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };
