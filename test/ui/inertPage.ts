import type { Page } from 'playwright-core';

/** The traces of content that was treated as more than text. */
const FORBIDDEN =
  'script, iframe, object, embed, form, base, audio, video, svg, math, link, template, noscript, input, button, a:not([href^="#file-"]), img:not([src^="data:image/png;base64,"]), meta[http-equiv]:not([content^="default-src"]), body style, [style], [onload], [onerror], [onfocus], [onclick], [onmouseover], [ontoggle], [srcdoc], [formaction]';

const INVISIBLE =
  '[\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F\\u200B\\u200E\\u200F\\u202A-\\u202E\\u2060-\\u2069\\uFEFF]';

/** What recorded content has done to an exported review: run, become an element that is not for text, or hidden in the text. */
export async function marksOfContent(page: Page): Promise<readonly string[]> {
  return page.evaluate(
    ({ forbidden, invisible }) => {
      const hidden = new RegExp(invisible).exec(document.body.innerText + document.title)?.[0];
      return [
        ...('pwned' in window || 'pwned' in Object.prototype ? ['a script ran'] : []),
        ...[...document.querySelectorAll(forbidden)].map((element) => element.outerHTML.slice(0, 200)),
        ...(hidden === undefined ? [] : [`invisible U+${hidden.charCodeAt(0).toString(16)}`]),
      ];
    },
    { forbidden: FORBIDDEN, invisible: INVISIBLE },
  );
}
