import assert from 'node:assert/strict';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Reads the XML that JUnit reports are made of, and fails on everything that is not well-formed. */
export function parseXml(text: string): XmlElement {
  const reader = new XmlReader(text);
  return reader.document();
}

class XmlReader {
  #at = 0;

  constructor(readonly source: string) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what XML 1.0 forbids
    assert.doesNotMatch(source, /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/u);
  }

  document(): XmlElement {
    this.#match(/<\?xml version="1\.0" encoding="UTF-8"\?>\s*/y);
    const root = this.#element();
    this.#match(/\s*/y);
    assert.equal(this.#at, this.source.length, 'nothing follows the root');
    return root;
  }

  #element(): XmlElement {
    const name = this.#match(/<([A-Za-z][\w-]*)/y)[1] ?? '';
    const attributes: Record<string, string> = {};
    for (
      let found = this.#try(/\s+([A-Za-z][\w-]*)="([^"<]*)"/y);
      found;
      found = this.#try(/\s+([A-Za-z][\w-]*)="([^"<]*)"/y)
    ) {
      const [, key = '', value = ''] = found;
      assert.ok(!(key in attributes), `${key} is there twice`);
      // A reader makes spaces of the line breaks and tabs that are not escaped.
      attributes[key] = decode(value.replace(/[\r\n\t]/g, ' '));
    }
    if (this.#try(/\/>/y)) return { name, attributes, children: [], text: '' };
    this.#match(/>/y);
    return { name, attributes, ...this.#content(name) };
  }

  #content(name: string): { children: XmlElement[]; text: string } {
    const children: XmlElement[] = [];
    let text = '';
    for (;;) {
      text += decode((this.#match(/[^<]*/y)[0] ?? '').replace(/\r\n?/g, '\n'));
      if (this.#try(new RegExp(`</${name}>`, 'y'))) return { children, text };
      children.push(this.#element());
    }
  }

  #match(pattern: RegExp): RegExpExecArray {
    const found = this.#try(pattern);
    assert.ok(found, `${pattern} expected at ${this.#at}: ${this.source.slice(this.#at, this.#at + 60)}`);
    return found;
  }

  #try(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.source) ?? undefined;
    if (found) this.#at += found[0].length;
    return found;
  }
}

function decode(text: string): string {
  assert.doesNotMatch(text, /&(?!(amp|lt|gt|quot|apos|#\d+);)/, 'an & that is no reference');
  return text.replace(/&(#\d+|\w+);/g, (_, name: string) =>
    name.startsWith('#') ? String.fromCodePoint(Number(name.slice(1))) : (ENTITIES[name] ?? assert.fail(name)),
  );
}
