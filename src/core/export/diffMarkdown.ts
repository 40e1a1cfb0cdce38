import type { DiffPiece } from '../diff/diffText';
import { grouped } from '../text/counts';
import { t } from '../text/l10n';

/** The longest diff that is shown whole: VS Code cuts Markdown off after 100,000 characters, and with it the end of the element. */
const LONGEST = 80_000;

/**
 * The changes from one text to another, word by word, as HTML for VS Code's Markdown: struck out and underlined, in the colours of
 * its diff editor. Empty for one that is too long to be read there.
 */
export function diffMarkdown(diff: readonly DiffPiece[]): string {
  const html = diff.map(htmlOf).join('');
  return html.length > LONGEST ? '' : `\n<pre>${html}</pre>\n\n`;
}

function htmlOf(piece: DiffPiece): string {
  if (piece.type === 'skipped') return escapeHtml(` ${t('… {0} characters …', grouped(piece.length))} `);
  const text = escapeHtml(piece.text);
  if (piece.type === 'removed') return `<del>${onBackground(text, 'diffEditor-removedTextBackground')}</del>`;
  return piece.type === 'added' ? `<ins>${onBackground(text, 'diffEditor-insertedTextBackground')}</ins>` : text;
}

/** VS Code's Markdown allows this style, and no other. */
function onBackground(html: string, colour: string): string {
  return `<span style="background-color:var(--vscode-${colour});">${html}</span>`;
}

/** Line breaks as references: an empty line could end the element, and text of tapes be taken for Markdown. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"\n]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
