import { type DiffBlock, plainDiff } from '../diff/plainDiff';
import type { Change, ChangeKind, RecordedStep } from '../model/change';
import { DECISION_COUNTS, DECISION_WORDS, type DecidedChange } from '../review/decisions';
import type { Measure } from '../review/measures';
import { amount, delta, isAny, measureDetails } from '../review/measureText';
import { usageText } from '../review/usageText';
import { grouped, plural } from '../text/counts';
import { escapeInvisible } from '../text/escapeInvisible';
import { t } from '../text/l10n';
import { placeText } from './changesText';
import type { ClippedChange } from './clipChange';
import type { PageMedia } from './clipMedia';
import { escaped, htmlPage, imageHtml, quietHtml } from './htmlPage';

/** The style of the page of a review. Every difference is also shown by words and signs, for print and without colours. */
const REVIEW_STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 22%, transparent); }
body { max-width: 64rem; margin: 0 auto; padding: 1.5rem; font: 15px/1.55 system-ui, sans-serif; overflow-wrap: anywhere; color: light-dark(#1f2328, #e6e6e6); background: light-dark(#fff, #1e1e1e); }
a { color: light-dark(#0550ae, #79b8ff); }
h1 { margin: 0; font-size: 1.4rem; }
h2 { margin: 2.2rem 0 0.3rem; font-size: 1.1rem; }
h3, h4 { margin: 0; font-size: 0.95rem; }
h4 { margin: 0.6rem 0 0.1rem; }
p { margin: 0.3rem 0; }
.quiet, small { color: light-dark(#59636e, #b0b0b0); font-weight: normal; }
.measures { display: flex; flex-wrap: wrap; gap: 0.2rem 1.4rem; margin: 0.5rem 0; }
.measures div { display: flex; gap: 0.4rem; }
.measures dt { color: light-dark(#59636e, #b0b0b0); }
.measures dd { margin: 0; font-variant-numeric: tabular-nums; }
nav ul { margin: 0.8rem 0; padding-left: 1.2rem; }
details { margin: 0.6rem 0; border: 1px solid var(--line); border-radius: 6px; }
summary { padding: 0.4rem 0.8rem; cursor: pointer; }
summary h3 { display: inline; }
.content { padding: 0 0.8rem 0.6rem; }
.sign { font-family: ui-monospace, monospace; }
.decision { padding: 0 0.5rem; border: 1px solid var(--line); border-radius: 1rem; font-size: 0.8rem; white-space: nowrap; }
.open { color: light-dark(#7a4d00, #ffd479); }
.accepted { color: light-dark(#1a6e2e, #8ddb8c); }
.rejected { color: light-dark(#a1260d, #f9a99a); }
pre { margin: 0.2rem 0; font: 13px/1.5 ui-monospace, monospace; white-space: pre-wrap; tab-size: 4; }
del, ins, .same { display: block; padding: 0 0.3rem; text-decoration: none; }
del { background: light-dark(#ffebe9, #3a1d1d); }
ins { background: light-dark(#e3f6e5, #17301b); }
mark { color: inherit; border-radius: 2px; }
del mark { background: light-dark(#ffc9c4, #6e2c2c); }
ins mark { background: light-dark(#aee5b5, #285f31); }
.folded { display: block; padding: 0 0.3rem; font-style: italic; }
figure { display: inline-block; margin: 0 1rem 0 0; max-width: 48%; vertical-align: top; }
img { max-width: 100%; }
@media print {
  body { max-width: none; padding: 0; }
  details { break-inside: avoid-page; }
  details::details-content { content-visibility: visible; height: auto; }
}
`;

/** A change of which a page keeps what it has room for. */
type PageChange = DecidedChange<ClippedChange>;

/** The review of one tape, baseline, or run, with what is decided. */
export interface PageReview {
  /** From the project's root. */
  readonly path: string;
  readonly kind: string;
  /** The earlier side, such as "the last commit". */
  readonly against: string;
  readonly changes: readonly PageChange[];
  /** Differences that the rules ignore. */
  readonly hidden: readonly Change[];
  readonly notices: readonly string[];
  readonly measures: readonly Measure[];
}

/** The sizes of a page. */
interface ReviewPageLimits {
  /** For the texts of one change, in UTF-16 units. */
  readonly text: number;
  /** For all texts, in bytes: what follows is listed by title. */
  readonly texts: number;
  /** For the page, in bytes: what follows is counted. */
  readonly page: number;
}

export const REVIEW_PAGE_LIMITS: ReviewPageLimits = { text: 40_000, texts: 2_500_000, page: 2_900_000 };

interface ReviewPage {
  readonly html: string;
  /** How many changes are there without their texts, or not at all. */
  readonly leftOut: number;
}

/** A review as one page to read: no script, nothing loaded, all recorded text escaped. It says what is left out. */
export function reviewPage(
  project: string,
  reviews: readonly PageReview[],
  limits: ReviewPageLimits = REVIEW_PAGE_LIMITS,
): ReviewPage {
  const title = escaped(`Review of ${escapeInvisible(project)}`);
  const budget = new PageBudget(limits);
  const files = reviews.map((review, index) => fileHtml(review, index, budget));
  const unlisted =
    budget.unlisted === 0
      ? []
      : [quietHtml(`The page ends here: it is too large for ${plural(budget.unlisted, 'more change')}.`)];
  const body = `<header><h1>${title}</h1><p class="quiet">${escaped(sumOf(reviews))}</p></header>
${reviews.length > 1 ? contents(reviews) : ''}<main>
${[...(budget.leftOut > 0 ? [quietHtml(leftOutText(budget))] : []), ...files, ...unlisted].join('\n')}
</main>`;
  return { html: htmlPage({ title, style: REVIEW_STYLE, body }), leftOut: budget.leftOut };
}

/** Keeps a page within its limits. */
class PageBudget {
  unlisted = 0;
  untold = 0;
  #bytes = 0;

  constructor(readonly limits: ReviewPageLimits) {}

  get leftOut(): number {
    return this.unlisted + this.untold;
  }

  /** The whole where there is room for it, or else its title; nothing where there is no room for that. */
  take(whole: (() => string) | undefined, title: () => string): string {
    if (whole !== undefined && this.#bytes < this.limits.texts) {
      const html = whole();
      if (this.#fits(html, this.limits.texts)) return html;
    }
    const short = title();
    if (this.#fits(short, this.limits.page)) {
      this.untold += 1;
      return short;
    }
    this.unlisted += 1;
    return '';
  }

  #fits(html: string, limit: number): boolean {
    const bytes = new TextEncoder().encode(html).length;
    if (this.#bytes + bytes > limit) return false;
    this.#bytes += bytes;
    return true;
  }
}

function leftOutText({ untold, leftOut }: PageBudget): string {
  const counts = [
    ...(untold > 0 ? [`the texts of ${plural(untold, 'change')}`] : []),
    ...(leftOut > untold ? [plural(leftOut - untold, 'change')] : []),
  ];
  return `To keep this page small, ${counts.join(', and ')} are left out. The review in VS Code has them.`;
}

/** Such as "3 files · 5 changes pending, 1 accepted". */
function sumOf(reviews: readonly PageReview[]): string {
  if (reviews.length === 0) return 'No recorded run has changed.';
  return `${plural(reviews.length, 'file')} · ${decisionsOf(reviews.flatMap(({ changes }) => changes))}`;
}

function decisionsOf(changes: readonly DecidedChange[]): string {
  const counts = (['open', 'accepted', 'rejected'] as const).flatMap((decision) => {
    const count = changes.filter((change) => change.decision === decision).length;
    return count === 0 ? [] : [t(DECISION_COUNTS[decision], grouped(count))];
  });
  return counts.length === 0 ? 'only ignored differences' : counts.join(', ');
}

/** Of more files, the others follow without being listed. */
const MOST_LISTED = 1000;

function contents(reviews: readonly PageReview[]): string {
  const rows = reviews.slice(0, MOST_LISTED).map(({ path, changes }, index) => {
    const link = `<a href="#file-${index + 1}">${escaped(escapeInvisible(path))}</a>`;
    return `<li>${link} <small>${escaped(decisionsOf(changes))}</small></li>`;
  });
  return `<nav aria-label="Files"><ul>\n${rows.join('\n')}\n</ul></nav>\n`;
}

function fileHtml(
  { path, kind, against, changes, hidden, notices, measures }: PageReview,
  index: number,
  budget: PageBudget,
): string {
  const told = changes.map((change) =>
    budget.take(
      change.clipped?.isWithoutTexts === true ? undefined : () => changeHtml(change, budget.limits.text),
      () => `<p>${changeTitle(change)}</p>`,
    ),
  );
  const parts = [
    `<h2 id="file-${index + 1}">${escaped(escapeInvisible(path))} <small>${escaped(kind)}</small></h2>`,
    quietHtml(`Compared with ${escapeInvisible(against)} · ${decisionsOf(changes)}`),
    ...measuresHtml(measures),
    ...notices.map((notice) => quietHtml(escapeInvisible(notice))),
    ...told.filter((html) => html !== ''),
    ...ignoredHtml(hidden),
  ];
  return `<section>\n${parts.join('\n')}\n</section>`;
}

/** The totals of the new recording, each with its difference from the old one, as in the review in VS Code. */
function measuresHtml(measures: readonly Measure[]): readonly string[] {
  const shown = measures.filter(isAny).map((measure) => {
    const { name, before, after } = measure;
    const by = delta(measure);
    const change = by === '' ? '' : ` <small>${escaped(by)}</small>`;
    return `<div title="${escaped(measureDetails(measure))}"><dt>${name}</dt><dd>${escaped(amount(name, after ?? before))}${change}</dd></div>`;
  });
  return shown.length === 0 ? [] : [`<dl class="measures">${shown.join('')}</dl>`];
}

const MOST_IGNORED = 100;

function ignoredHtml(hidden: readonly Change[]): readonly string[] {
  if (hidden.length === 0) return [];
  const rows = hidden.slice(0, MOST_IGNORED).map((change) => {
    const rules = change.rules.map(escapeInvisible).join(', ');
    return `<li>${escaped(escapeInvisible(change.title))} <small>${escaped(rules)}</small></li>`;
  });
  const more =
    hidden.length > MOST_IGNORED ? `<li>and ${plural(hidden.length - MOST_IGNORED, 'more difference')}</li>` : '';
  const title = `${plural(hidden.length, 'difference')} ignored by rules`;
  return [`<details><summary>${title}</summary><ul class="content">\n${rows.join('\n')}${more}\n</ul></details>`];
}

const SIGNS: Readonly<Record<ChangeKind, string>> = { added: '+', removed: '-', moved: '>', edited: '~' };

/** One change with its texts, of which `limit` characters are shown. */
function changeHtml(change: PageChange, limit: number): string {
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
function changeTitle({ kind, title, place, repeats, decision }: PageChange): string {
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
