/** The beginning of a text in one line, without the marks of markdown. */
export function previewText(text: string): string {
  return text
    .slice(0, 400)
    .replace(/\s+/g, ' ')
    .replace(/(^|\s)(?:#{1,6}|>|[-*]) /g, '$1')
    .replace(/\*\*|__|`/g, '');
}
