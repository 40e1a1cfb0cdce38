/** The style of the page of a review. Every difference is also shown by words and signs, for print and without colours. */
export const REVIEW_STYLE = `
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
