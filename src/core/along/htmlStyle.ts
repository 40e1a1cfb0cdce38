/** The style of an exported page. Its hash stands in the page's policy: nothing recorded may come in here. */
export const HTML_STYLE = `
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
