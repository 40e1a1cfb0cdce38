import { sha256Hex } from '../hash/sha256';
import type { TranscriptAside } from '../transcript/asides';
import { roleName } from '../transcript/roleName';
import type { InteractionBody, Transcript, TranscriptEntry, TranscriptToolCall } from '../transcript/transcript';
import { encodeBase64 } from '../wire/base64';
import { HTML_STYLE } from './htmlStyle';

/** Pictures that a browser draws and does not run anything of. */
const PICTURES = /^image\/(?:png|jpeg|gif|webp)$/;
const BASE64 = /^[A-Za-z0-9+/=\s]*$/;

/**
 * A transcript as one page that works offline: no script, nothing loaded, all recorded text as text. Its policy allows
 * its own style and pictures that are part of it, and nothing else.
 */
export function transcriptHtml({ name, formatLabel, totals, bodies }: Transcript): string {
  const title = name || 'Unnamed tape';
  const facts = [formatLabel, `${totals.interactions} interactions`, `${totals.usage.totalTokens} tokens`];
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${styleHash()}'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${HTML_STYLE}</style>
</head>
<body>
<header><h1>${escaped(title)}</h1><p>${escaped(facts.join(' · '))}</p></header>
<main>
${bodies.map(interactionHtml).join('\n')}
</main>
</body>
</html>
`;
}

function interactionHtml({ index, entries, changes }: InteractionBody): string {
  const model = entries.find((entry) => entry.model !== undefined)?.model;
  const changed = changes.map(({ title }) => `<p class="changed">Changed since: ${escaped(title)}</p>`).join('');
  return `<section id="interaction-${index + 1}">
<h2>#${index + 1}${model === undefined ? '' : ` <small>${escaped(model)}</small>`}</h2>
${changed}${entries.map(entryHtml).join('\n')}
</section>`;
}

function entryHtml({ role, text, toolCalls, asides = [], error, missing }: TranscriptEntry): string {
  const parts = [
    ...asides.map(asideHtml),
    ...(text === '' ? [] : [`<pre>${escaped(text)}</pre>`]),
    ...toolCalls.map(callHtml),
    ...(error === undefined ? [] : [`<p class="error">${escaped(error)}</p>`]),
    ...(missing ? ['<p class="quiet">No answer on this tape</p>'] : []),
  ];
  return `<article${role === 'user' ? ' class="user"' : ''}>\n<h3>${escaped(roleName(role))}</h3>\n${parts.join('\n')}\n</article>`;
}

function asideHtml({ label, text, media }: TranscriptAside): string {
  const picture = media === undefined ? '' : pictureHtml(media.mime, media.base64, label);
  return `<details><summary>${escaped(label)}</summary>${picture}<pre>${escaped(text)}</pre></details>`;
}

function pictureHtml(mime: string, base64: string, label: string): string {
  if (!PICTURES.test(mime) || !BASE64.test(base64)) return '';
  return `<img alt="${escaped(label)}" src="data:${mime};base64,${base64.replace(/\s/g, '')}">`;
}

function callHtml({ name, arguments: args, result }: TranscriptToolCall): string {
  const answer = result === undefined ? '' : `<h4>Result</h4><pre>${escaped(result)}</pre>`;
  return `<details open><summary>Tool call <code>${escaped(name || 'unnamed')}</code></summary><h4>Arguments</h4><pre>${escaped(args)}</pre>${answer}</details>`;
}

function styleHash(): string {
  const hex = sha256Hex(HTML_STYLE);
  return encodeBase64(Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
}

/** As text, also inside of an attribute in double quotes. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
