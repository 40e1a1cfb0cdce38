import { grouped } from '../text/counts';
import type { MessageExtra } from '../transcript/messageExtras';
import { roleName } from '../transcript/roleName';
import type { InteractionBody, TranscriptEntry, TranscriptToolCall } from '../transcript/transcript';
import type { TranscriptReader } from '../transcript/transcriptReader';
import { escaped, htmlPage, imageHtml } from './htmlPage';

/** The style of an exported page. The page's policy contains its hash, so nothing recorded may be part of it. */
const HTML_STYLE = `
:root { color-scheme: light dark; }
body { max-width: 48rem; margin: 0 auto; padding: 1.5rem; font: 15px/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
header { border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
h1 { margin: 0; font-size: 1.4rem; }
h2 { margin: 2rem 0 0.5rem; font-size: 1rem; }
h3, h4 { margin: 0.25rem 0; font-size: 0.85rem; }
small, .quiet, header p { color: color-mix(in srgb, currentColor 75%, transparent); font-weight: normal; }
article { padding: 0.5rem 0.9rem; border-radius: 6px; }
article.user { background: color-mix(in srgb, currentColor 6%, transparent); }
pre { margin: 0.25rem 0; font: inherit; white-space: pre-wrap; }
details { margin: 0.5rem 0; padding: 0.4rem 0.8rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 6px; }
details pre, code { font-family: ui-monospace, monospace; font-size: 0.9em; }
summary { cursor: pointer; }
img { max-width: 100%; }
.error { color: light-dark(#a1260d, #f48771); }
.changed { margin: 0.25rem 0; padding-left: 0.6rem; border-left: 3px solid light-dark(#bf8803, #cca700); }
`;

/** How large a page becomes, in UTF-16 units of what was recorded: browsers show no more without effort. */
interface PageLimits {
  readonly text: number;
  readonly page: number;
}

const PAGE_LIMITS: PageLimits = { text: 5_000_000, page: 40_000_000 };

/**
 * A transcript as one page that works offline: no script, nothing loaded, all recorded text escaped. Its content security
 * policy allows its own style and embedded images, and nothing else. What is beyond the limits is left out, as it says.
 */
export function transcriptHtml(reader: TranscriptReader, limits = PAGE_LIMITS): string {
  while (reader.advance());
  const { name, format, totals } = reader;
  const title = name || 'Unnamed tape';
  const facts = [format.label, `${totals.interactions} interactions`, `${totals.usage.totalTokens} tokens`];
  const body = `<header><h1>${escaped(title)}</h1><p>${escaped(facts.join(' · '))}</p></header>
<main>
${sectionsOf(reader, limits).join('\n')}
</main>`;
  return htmlPage({ title: escaped(title), style: HTML_STYLE, body });
}

function sectionsOf(reader: TranscriptReader, limits: PageLimits): readonly string[] {
  const sections: string[] = [];
  let length = 0;
  for (let index = 0; index < reader.length; index += 1) {
    const body = reader.body(index);
    if (body === undefined) continue;
    const section = interactionHtml(body, limits);
    length += section.length;
    if (length > limits.page) {
      const rest = `The page ends here, after ${grouped(index)} of ${grouped(reader.length)} interactions: more would make it too large.`;
      return [...sections, `<p class="quiet">${rest}</p>`];
    }
    sections.push(section);
  }
  return sections;
}

function interactionHtml(body: InteractionBody, limits: PageLimits): string {
  const { index, entries, changes } = body;
  const model = entries.find((entry) => entry.model !== undefined)?.model;
  const changed = changes.map(({ title }) => `<p class="changed">Changed since: ${escaped(title)}</p>`).join('');
  return `<section id="interaction-${index + 1}">
<h2>#${index + 1}${model === undefined ? '' : ` <small>${escaped(model)}</small>`}</h2>
${changed}${entries.map((entry) => entryHtml(entry, limits)).join('\n')}
</section>`;
}

function entryHtml(entry: TranscriptEntry, limits: PageLimits): string {
  const { role, text, toolCalls, extras = [], error, missing } = entry;
  const parts = [
    ...extras.map((extra) => extraHtml(extra, limits)),
    ...(text === '' ? [] : [preHtml(text, limits)]),
    ...toolCalls.map((call) => callHtml(call, limits)),
    ...(error === undefined ? [] : [`<p class="error">${escaped(error)}</p>`]),
    ...(missing ? ['<p class="quiet">No response on this tape</p>'] : []),
  ];
  return `<article${role === 'user' ? ' class="user"' : ''}>\n<h3>${escaped(roleName(role))}</h3>\n${parts.join('\n')}\n</article>`;
}

function extraHtml({ label, text, media }: MessageExtra, limits: PageLimits): string {
  const isShown = media !== undefined && media.base64.length <= limits.text;
  const picture = !isShown ? '' : imageHtml(media.mime, media.base64, label);
  return `<details><summary>${escaped(label)}</summary>${picture}${preHtml(text, limits)}</details>`;
}

function callHtml({ name, arguments: args, result }: TranscriptToolCall, limits: PageLimits): string {
  const resultHtml = result === undefined ? '' : `<h4>Result</h4>${preHtml(result, limits)}`;
  return `<details open><summary>Tool call <code>${escaped(name || 'unnamed')}</code></summary><h4>Arguments</h4>${preHtml(args, limits)}${resultHtml}</details>`;
}

function preHtml(text: string, { text: limit }: PageLimits): string {
  if (text.length <= limit) return `<pre>${escaped(text)}</pre>`;
  const rest = `${grouped(text.length - limit)} more characters are left out.`;
  return `<pre>${escaped(text.slice(0, limit))}</pre><p class="quiet">${rest}</p>`;
}
