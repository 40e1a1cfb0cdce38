/** Whether a text is what one of Tapedeck's commands prints with `--json`, such as a report that was kept in a folder of tapes. */
export function isOwnReport(text: string): boolean {
  return /^\s*\{\s*"ok":\s*(?:true|false)\s*[,}]/.test(text.slice(0, HEAD));
}

const HEAD = 200;
