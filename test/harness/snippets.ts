/** What the editor makes of a snippet when each placeholder is left as it comes. */
export function filledIn(snippet: string): string {
  return snippet
    .replace(/\$\{\d+\|([^,|]*)[^|]*\|\}/g, '$1')
    .replace(/\$\{\d+:((?:\\.|[^}\\])*)\}/g, '$1')
    .replace(/\$\d/g, '')
    .replace(/\\([\\$}])/g, '$1');
}
