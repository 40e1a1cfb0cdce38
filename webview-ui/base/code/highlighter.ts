import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import kotlin from 'highlight.js/lib/languages/kotlin';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import scss from 'highlight.js/lib/languages/scss';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import type { CodeLanguage } from './codeLanguage';
import type { CodeKind, CodeToken } from './codeToken';

/** This module is loaded when the first code is shown: see `codeText.tsx`. */
const GRAMMARS = {
  ...{ bash, c, cpp, css, diff, dockerfile, go, ini, java, javascript, kotlin, lua, makefile, php, python, ruby },
  ...{ rust, scss, sql, swift, typescript, xml, yaml },
} satisfies Record<Exclude<CodeLanguage, 'json'>, unknown>;

/** What the grammars call the pieces of code, as the kinds that have a colour. The first part of a name decides. */
const KINDS: Readonly<Record<string, CodeKind>> = {
  ...{ comment: 'comment', quote: 'comment' },
  ...{ keyword: 'keyword', 'selector-tag': 'keyword', meta: 'keyword', tag: 'keyword', operator: 'keyword' },
  ...{ string: 'string', regexp: 'string', char: 'string', addition: 'string', link: 'string' },
  ...{ number: 'number', literal: 'number', symbol: 'number', deletion: 'number' },
  ...{ title: 'name', section: 'name', 'selector-id': 'name', 'selector-class': 'name' },
  ...{ type: 'type', class: 'type', built_in: 'type', 'selector-pseudo': 'type' },
  ...{ attr: 'key', attribute: 'key', property: 'key', variable: 'key', 'template-variable': 'key' },
};

/** Collects tokens where highlight.js would write HTML, of which no page makes anything. */
class TokenEmitter {
  readonly tokens: CodeToken[] = [];
  readonly #kinds: (CodeKind | undefined)[] = [];

  addText(text: string): void {
    const kind = this.#kinds.at(-1);
    if (text !== '') this.tokens.push({ ...(kind && { kind }), text });
  }

  /** Without a colour of its own, a piece has that of the one around it. */
  startScope(name: string): void {
    this.#kinds.push(KINDS[name] ?? KINDS[name.split('.', 1)[0] ?? ''] ?? this.#kinds.at(-1));
  }

  endScope(): void {
    this.#kinds.pop();
  }

  /** highlight.js calls them by their old names as well. */
  openNode(name: string): void {
    this.startScope(name);
  }

  closeNode(): void {
    this.endScope();
  }

  __addSublanguage({ tokens }: TokenEmitter): void {
    for (const token of tokens) this.tokens.push(token);
  }

  toHTML(): string {
    return '';
  }

  finalize(): void {
    // There is nothing to close.
  }
}

for (const [name, grammar] of Object.entries(GRAMMARS)) hljs.registerLanguage(name, grammar);
hljs.configure({ __emitter: TokenEmitter });

/** The pieces of code that have colours, which are the whole of it. */
export function codeTokens(text: string, language: Exclude<CodeLanguage, 'json'>): readonly CodeToken[] {
  const { _emitter: emitter, errorRaised } = hljs.highlight(text, { language, ignoreIllegals: true });
  return errorRaised === undefined && emitter instanceof TokenEmitter ? emitter.tokens : [{ text }];
}
