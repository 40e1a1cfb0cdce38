/** A text as Markdown that shows it as it is. `MarkdownString.appendText` makes its spaces hard, so that no line breaks. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!~<>|&$]/g, '\\$&').replace(/\s+/g, ' ');
}
