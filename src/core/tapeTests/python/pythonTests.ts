import type { Span } from '../../text/source';
import { callAt, closingOf, isOperator, type PythonCall, splitAtCommas } from './pythonCalls';
import { type PythonLine, type PythonToken, readPythonLines } from './pythonTokens';

/** A test function of pytest, with its own decorators, those of its classes, and the module's marks. */
export interface PythonTest {
  readonly name: string;
  /** The enclosing classes, outermost first. */
  readonly classes: readonly string[];
  /** The name in `def NAME`. */
  readonly nameSpan: Span;
  /** The start of its first decorator, or else of its `def`. */
  readonly start: number;
  /** Decorators and marks, the nearest first. */
  readonly marks: readonly PythonCall[];
  /** Calls of `use_cassette` in its body. */
  readonly cassettes: readonly PythonCall[];
  readonly parameters: readonly string[];
}

interface Block {
  readonly indent: number;
  readonly className?: string;
  readonly isTest?: boolean;
  readonly marks: readonly PythonCall[];
}

/** The tests in a Python file: functions that are named like one, at the top level or in classes. Never throws. */
export function readPythonTests(text: string, isNamed = (name: string) => name.startsWith('test')): PythonTest[] {
  const lines = readPythonLines(text);
  const moduleMarks = lines.flatMap((line) => (line.indent === 0 ? pytestMarks(line) : []));
  const collector = new TestCollector(moduleMarks, isNamed);
  for (const line of lines) collector.add(line);
  return collector.tests;
}

class TestCollector {
  readonly tests: (PythonTest & { readonly cassettes: PythonCall[] })[] = [];
  readonly #moduleMarks: readonly PythonCall[];
  readonly #isNamed: (name: string) => boolean;
  /** The blocks around the current line, outermost first. */
  #blocks: Block[] = [];
  #decorators: PythonCall[] = [];

  constructor(moduleMarks: readonly PythonCall[], isNamed: (name: string) => boolean) {
    this.#moduleMarks = moduleMarks;
    this.#isNamed = isNamed;
  }

  add(line: PythonLine): void {
    this.#blocks = this.#blocks.filter(({ indent }) => indent < line.indent);
    const [first] = line.tokens;
    if (isOperator(first, '@')) {
      const call = callAt(line.tokens, 1);
      if (call !== undefined) this.#decorators.push({ ...call, start: first?.start ?? call.start });
      return;
    }
    // A block other than a class belongs to the last test, if it is within it.
    if (this.#blocks.some(({ isTest }) => isTest)) this.tests.at(-1)?.cassettes.push(...cassettesIn(line));
    const head = headOf(line);
    if (head !== undefined) this.#openBlock(head, line);
    this.#decorators = [];
  }

  #openBlock(head: Head, line: PythonLine): void {
    const { indent } = line;
    if (head.kind === 'class') {
      this.#blocks.push({ indent, className: head.name, marks: this.#decorators });
      return;
    }
    // A function within a function is not a test.
    const isTest = this.#isNamed(head.name) && this.#blocks.every(({ className }) => className !== undefined);
    if (isTest) this.#addTest(head, line);
    this.#blocks.push({ indent, marks: [], isTest });
  }

  #addTest({ name, nameSpan, parameters }: Head, line: PythonLine): void {
    const inherited = this.#blocks.toReversed().flatMap(({ marks }) => marks);
    this.tests.push({
      name,
      classes: this.#blocks.flatMap(({ className }) => className ?? []),
      nameSpan,
      start: this.#decorators[0]?.start ?? line.tokens[0]?.start ?? nameSpan.start,
      marks: [...this.#decorators.toReversed(), ...inherited, ...this.#moduleMarks],
      parameters,
      cassettes: [],
    });
  }
}

interface Head {
  readonly kind: 'class' | 'def';
  readonly name: string;
  readonly nameSpan: Span;
  readonly parameters: readonly string[];
}

function headOf({ tokens }: PythonLine): Head | undefined {
  const [first] = tokens;
  const at = first?.type === 'name' && first.text === 'async' ? 1 : 0;
  const keyword = tokens[at];
  const name = tokens[at + 1];
  if (keyword?.type !== 'name' || name?.type !== 'name') return undefined;
  if (keyword.text !== 'def' && keyword.text !== 'class') return undefined;
  const nameSpan = { start: name.start, end: name.end };
  return { kind: keyword.text, name: name.text, nameSpan, parameters: parametersIn(tokens, at + 2) };
}

function parametersIn(tokens: readonly PythonToken[], opening: number): string[] {
  if (!isOperator(tokens[opening], '(')) return [];
  const inside = tokens.slice(opening + 1, closingOf(tokens, opening));
  return splitAtCommas(inside).flatMap(([first]) => (first?.type === 'name' ? [first.text] : []));
}

function cassettesIn({ tokens }: PythonLine): PythonCall[] {
  return tokens.flatMap((token, at) =>
    token.type === 'name' && token.text === 'use_cassette' ? (callAt(tokens, at) ?? []) : [],
  );
}

/** `pytestmark = pytest.mark.vcr`, or a list of marks. */
function pytestMarks({ tokens }: PythonLine): PythonCall[] {
  const [first] = tokens;
  if (first?.type !== 'name' || first.text !== 'pytestmark') return [];
  const equals = tokens.findIndex((token) => isOperator(token, '='));
  if (equals === -1) return [];
  const values = tokens.slice(equals + 1);
  const isList = isOperator(values[0], '[') || isOperator(values[0], '(');
  const marks = isList ? splitAtCommas(values.slice(1, closingOf(values, 0))) : [values];
  return marks.flatMap((mark) => callAt(mark, 0) ?? []);
}
