const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // An attribute would turn these into spaces, and every CR into LF.
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** Everything XML 1.0 cannot hold, whatever way it is written: control characters, lone surrogates, U+FFFE and U+FFFF. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;

/** Text for an element or an attribute. What XML cannot hold becomes U+FFFD. */
export function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '\uFFFD').replace(/[&<>"'\n\r\t]/g, (char) => ESCAPES[char] ?? char);
}
