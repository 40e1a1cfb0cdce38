import type { Code, CodeCall, TokenRange } from '../code/codeCalls';
import type { TestRecorder, TestTapeUse } from '../tapeTest';
import { folderOf, joined } from '../testPaths';

/** Matches files that may use tapes; most test files do not, and need not be read. */
export const MENTIONS = /\brecorder\.New|\bvcr\.New|\bhttprr\.Open|\btapedeck\.(?:URL|Transport)\b/;

/** The tape that a call names, in the test around it; undefined for any other call. Tests run in the folder of their package. */
export function goTapeUse(
  code: Code,
  call: CodeCall,
  testFile: string,
  test: string | undefined,
): TestTapeUse | undefined {
  const found = tapeOf(code, call, test);
  if (found === undefined) return undefined;
  const folder = folderOf(testFile);
  return {
    recorder: found.recorder,
    paths: found.paths.map((path) => joined(folder, path)),
    isFamily: false,
    span: call,
  };
}

interface FoundTape {
  readonly recorder: TestRecorder;
  readonly paths: readonly string[];
}

function tapeOf(code: Code, call: CodeCall, test: string | undefined): FoundTape | undefined {
  const [first] = call.args;
  if (first === undefined) return undefined;
  switch (call.name) {
    case 'recorder.New':
    case 'recorder.NewAsMode':
      return cassette(goPath(code, first, test));
    case 'recorder.NewWithOptions': {
      const name = memberIn(code, call, 'CassetteName');
      return cassette(name && goPath(code, name, test));
    }
    // charm.land/x/vcr names a cassette after its test.
    case 'vcr.NewRecorder':
      return cassette(test && `testdata/${test}`);
    case 'httprr.Open':
      return trace(goPath(code, first, test));
    case 'httprr.OpenForTest':
    case 'httprr.OpenForEmbeddingTest':
      return trace(test && `testdata/${cleanFileName(test)}.httprr`);
    case 'tapedeck.URL':
    case 'tapedeck.Transport':
      return { recorder: 'tapedeck', paths: isPlain(test) ? [`testdata/tapes/${test}.tape.jsonl`] : [] };
    default:
      return undefined;
  }
}

/** Other names of tests get a digest in the file's name. */
function isPlain(test: string | undefined): test is string {
  return test?.split('/').every((name) => /^(?!\.)[\p{L}\p{N}._=,+@()[\]{}#-]+$/u.test(name)) === true;
}

function cassette(name: string | undefined): FoundTape {
  return { recorder: 'go-vcr', paths: name === undefined ? [] : [`${name}.yaml`] };
}

/** A trace may be packed. */
function trace(path: string | undefined): FoundTape {
  return { recorder: 'httprr', paths: path === undefined ? [] : [path, `${path}.gz`] };
}

/** The file name that langchaingo's httprr makes from the name of a test. */
function cleanFileName(test: string): string {
  return test.replace(/[/\\:*?"<>| -]+/g, '-').replace(/^-|-$/g, '');
}

function memberIn(code: Code, call: CodeCall, name: string): TokenRange | undefined {
  for (let at = call.opening + 1; at < call.closing; at += 1)
    if (code.nameAt(at) === name && code.is(at + 1, ':')) {
      const brace = code.tokens.findIndex((_, index) => index > at && code.is(index, '}'));
      return code.splitAt(at + 2, brace === -1 ? call.closing : brace)[0];
    }
  return undefined;
}

/** The path that an expression has in a test of this name; undefined if it is computed at run time. */
function goPath(code: Code, range: TokenRange, test: string | undefined): string | undefined {
  const { from, to } = range;
  const token = code.tokens[from];
  const plus = code.tokens.findIndex((_, at) => at > from && at < to && code.is(at, '+') && !isNested(code, range, at));
  if (plus !== -1)
    return together(
      [
        { from, to: plus },
        { from: plus + 1, to },
      ].map((one) => goPath(code, one, test)),
      '',
    );
  if (token?.type === 'string' && to === from + 1) return token.value;
  const call = code.callIn(range);
  if (call === undefined) return undefined;
  if (/^\w+\.Name$/.test(call.name) && call.args.length === 0) return test;
  const args = call.args.map((one) => goPath(code, one, test));
  switch (call.name) {
    case 'filepath.Join':
    case 'path.Join':
      return together(args, '/');
    case 'filepath.FromSlash':
      return args[0];
    case 'strings.ReplaceAll':
    case 'strings.Replace': {
      const [text, old, by] = args;
      return old === undefined || by === undefined ? undefined : text?.replaceAll(old, () => by);
    }
    case 'fmt.Sprintf': {
      const [format, ...values] = args;
      if (format === undefined || values.includes(undefined) || /%[^sv%]/.test(format)) return undefined;
      let next = 0;
      return format.replace(/%([sv%])/g, (_, verb) => (verb === '%' ? '%' : (values[next++] ?? '')));
    }
    default:
      return undefined;
  }
}

/** Whether a token is within brackets of a range. */
function isNested(code: Code, { from }: TokenRange, at: number): boolean {
  for (let place = from; place < at; place += 1)
    if (code.is(place, '(') || code.is(place, '{') || code.is(place, '[')) {
      const closing = code.partnerOf(place);
      if (closing > at) return true;
      place = closing;
    }
  return false;
}

function together(parts: readonly (string | undefined)[], separator: string): string | undefined {
  const known = parts.filter((part) => part !== undefined);
  if (known.length < parts.length) return undefined;
  return separator === '' ? known.join('') : joined(known.join(separator));
}
