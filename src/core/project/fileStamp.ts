/** A text that changes whenever a file is written. Whole milliseconds are all that VS Code tells. */
export function fileStamp(size: number, changedAtMs: number): string {
  return `${size} ${Math.floor(changedAtMs)}`;
}
