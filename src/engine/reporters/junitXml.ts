const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // Unescaped, an attribute would turn these into spaces, and every CR into LF.
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** Characters that XML 1.0 cannot hold, escaped or not: control characters, lone surrogates, U+FFFE and U+FFFF. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;

/** Escaped text of an element or an attribute. Characters that XML cannot hold become U+FFFD. */
export function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '\uFFFD').replace(/[&<>"'\n\r\t]/g, (char) => ESCAPES[char] ?? char);
}

type Attributes = Readonly<Record<string, string | number>>;

/** An element, or a text, as lines that its parent indents. */
export interface Xml {
  readonly lines: readonly string[];
  readonly isText?: true;
}

export function xmlText(text: string): Xml {
  return { lines: [escapeXml(text)], isText: true };
}

export function xmlElement(name: string, attributes: Attributes, content: readonly Xml[] = []): Xml {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`);
  const opening = `${name}${written.join('')}`;
  const [first] = content;
  if (first === undefined || (first.isText && first.lines.join('') === '')) return { lines: [`<${opening}/>`] };
  if (first.isText) return { lines: [`<${opening}>${first.lines.join('')}</${name}>`] };
  const inside = content.flatMap(({ lines }) => lines).map((line) => `  ${line}`);
  return { lines: [`<${opening}>`, ...inside, `</${name}>`] };
}

/** A report with one suite, as CI systems read it. */
export function junitDocument(name: string, counts: Attributes, cases: readonly Xml[]): string {
  const suite = xmlElement('testsuite', { name, ...counts }, cases);
  const root = xmlElement('testsuites', { name, ...counts }, [suite]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.lines.join('\n')}\n`;
}
