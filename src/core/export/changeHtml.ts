import { type DiffBlock, plainDiff } from '../diff/plainDiff';
import type { ChangeKind, RecordedStep } from '../model/change';
import { DECISION_WORDS, type DecidedChange } from '../review/decisions';
import { usageText } from '../review/usageText';
import { grouped } from '../text/counts';
import { escapeInvisible } from '../text/escapeInvisible';
import { t } from '../text/l10n';
import { placeText } from './changesText';
import type { ClippedChange } from './clipChange';
import type { PageMedia } from './clipMedia';
import { escaped, imageHtml, quietHtml } from './htmlPage';

/** A change of which a page keeps what it has room for. */
export type PageChange = DecidedChange<ClippedChange>;

const SIGNS: Readonly<Record<ChangeKind, string>> = { added: '+', removed: '-', moved: '>', edited: '~' };

/** One change with its texts, of which `limit` characters are shown. */
export function changeHtml(change: PageChange, limit: number): string {
  const { usage, reason } = change;
  const parts = [
    ...(reason === undefined ? [] : [`<p>Reason: ${written(reason)}</p>`]),
    ...textsHtml(change, limit),
    ...(usage === undefined ? [] : [`<p class="quiet">${written(usageText(usage))}</p>`]),
  ];
  const content = parts.length === 0 ? '' : `<div class="content">${parts.join('\n')}</div>`;
  return `<details open><summary><h3>${changeTitle(change)}</h3></summary>${content}</details>`;
}

/** A change in one line: its sign, title and place, and what is decided. */
export function changeTitle({ kind, title, place, repeats, decision }: PageChange): string {
  const also =
    repeats.length === 0
      ? ''
      : `, and in ${repeats.length === 1 ? '1 place that repeats' : `${repeats.length} places that repeat`} it`;
  const where = `${placeText(place)}${also}`.replace(/^ · |^, /, '');
  return `<span class="sign">${escaped(SIGNS[kind])}</span> ${written(title)} <small>${written(where)}</small> <span class="decision ${decision}">${t(DECISION_WORDS[decision])}</span>`;
}

function textsHtml(change: PageChange, limit: number): readonly string[] {
  const { kind, subject, usage, recording = [] } = change;
  if (recording.length > 0) return recordingHtml(recording, limit);
  // The counts are one line.
  if (kind === 'moved' || (subject === 'usage' && usage !== undefined)) return [];
  const { media } = change;
  if (media !== undefined) return [sideHtml(media.before, 'Before'), sideHtml(media.after, 'After')];
  return diffHtml(change);
}

/** What an agent did in a recording that is new or gone as a whole. */
function recordingHtml(steps: readonly RecordedStep[], limit: number): readonly string[] {
  let left = limit;
  const shown = steps.flatMap(({ title, text }) => {
    if (left <= 0) return [];
    const html = `<h4>${written(title)}</h4><pre>${written(text.slice(0, left))}</pre>`;
    left -= text.length;
    return [html];
  });
  return left < 0 ? [...shown, restHtml(-left)] : shown;
}

/** A picture, or a word about what is not shown. */
function sideHtml({ mime, base64, url, kilobytes }: PageMedia, label: string): string {
  const picture = mime === undefined || base64 === undefined ? '' : imageHtml(mime, base64, label);
  const isLeftOut = kilobytes !== undefined && picture === '';
  const facts = [
    ...(mime === undefined ? [] : [mime]),
    ...(kilobytes === undefined ? [] : [`${grouped(kilobytes)} kB`]),
    ...(isLeftOut ? ['not shown here'] : []),
    ...(url === undefined ? [] : [url]),
  ];
  const said = facts.length === 0 ? 'none' : facts.join(', ');
  return `<figure>${picture}<figcaption>${label}: ${written(said)}</figcaption></figure>`;
}

/** The lines that differ, with signs, and a few around them. */
function diffHtml({ before, after, clipped }: PageChange): readonly string[] {
  if (before === after && clipped === undefined) return [];
  const { equal = 0, more = 0 } = clipped ?? {};
  return [
    ...(equal > 0 ? [quietHtml(`${grouped(equal)} equal characters before this are left out.`)] : []),
    `<pre>${plainDiff(escapeInvisible(before), escapeInvisible(after)).map(blockHtml).join('')}</pre>`,
    ...(more > 0 ? [restHtml(more)] : []),
  ];
}

const BLOCKS = {
  same: { open: '<span class="same">', close: '</span>', sign: '  ' },
  removed: { open: '<del>', close: '</del>', sign: '- ' },
  added: { open: '<ins>', close: '</ins>', sign: '+ ' },
} as const;

function blockHtml(block: DiffBlock): string {
  if (block.kind === 'folded') return `<span class="folded quiet">${grouped(block.lines)} unchanged lines</span>`;
  const { open, close, sign } = BLOCKS[block.kind];
  let isStart = true;
  const pieces = block.pieces.flatMap(({ text, marked }) =>
    text.split(/(\n)/).flatMap((part) => {
      if (part === '') return [];
      const lead = isStart ? sign : '';
      isStart = part === '\n';
      if (isStart) return [`${lead}\n`];
      return [lead + (marked ? `<mark>${escaped(part)}</mark>` : escaped(part))];
    }),
  );
  return open + pieces.join('').replace(/\n$/, '') + close;
}

function restHtml(length: number): string {
  return quietHtml(`${grouped(length)} more characters are left out.`);
}

/** A recorded text: escaped, with its invisible characters shown. */
function written(text: string): string {
  return escaped(escapeInvisible(text));
}
