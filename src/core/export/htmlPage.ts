import { encodeBase64 } from '../bytes/base64';
import { sha256Hex } from '../hash/digest';

/** A page that works offline. All of `title` and `body` that was recorded has to be escaped already, and none may be in `style`. */
interface HtmlPage {
  readonly title: string;
  readonly style: string;
  readonly body: string;
}

/** What every exported page begins with, by which one is known. */
export const PAGE_START = '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n';

/**
 * The text of a page without scripts that loads nothing. Its content security policy allows its own style and embedded images,
 * and nothing else.
 */
export function htmlPage({ title, style, body }: HtmlPage): string {
  return `${PAGE_START}<meta name="generator" content="Tapedeck">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hashOf(style)}'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

function hashOf(style: string): string {
  const hex = sha256Hex(style);
  return encodeBase64(Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
}

/** Escapes a text for HTML content and quoted attributes. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** A paragraph that is not part of the recording. */
export function quietHtml(text: string): string {
  return `<p class="quiet">${escaped(text)}</p>`;
}

/** Image types without scripts. */
const IMAGE_TYPES = /^image\/(?:png|jpeg|gif|webp)$/;
const BASE64 = /^[A-Za-z0-9+/=\s]*$/;

/** An embedded image; empty for what is not one. */
export function imageHtml(mime: string, base64: string, label: string): string {
  if (!IMAGE_TYPES.test(mime) || !BASE64.test(base64)) return '';
  return `<img alt="${escaped(label)}" src="data:${mime};base64,${base64.replace(/\s/g, '')}">`;
}
