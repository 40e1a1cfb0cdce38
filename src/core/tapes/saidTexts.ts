import type { JsonNode, JsonObjectNode, JsonStringNode } from '../json/jsonNode';

/** A text that a message, a call of a tool, or a tool is made of. */
export interface SaidText {
  readonly text: string;
  /** Of a call and of a tool, its name; what is JSON may hold any. */
  readonly kind: 'text' | 'call' | 'tool' | 'json';
  /** The name of the member that it is in, or that the list or the call is in. */
  readonly name: string;
  /** Where it begins. */
  readonly at: number;
}

/** What programs call the text of a message, alone or at the end of a name, as in `userMessage` and `response_text`. */
const TEXT =
  /(?:^|[^a-z])(?:text|content|message|parts|thinking|reasoning|prompt|completion|input|output|response|answer|delta)$/;
/** What they call a call, or a list of calls, or of tools. */
const CALL = /(?:^|[^a-z])(?:tool|function)_calls?$/;
const TOOLS = /(?:^|[^a-z])(?:tools|function_?declarations)$/;
/** What they call the function in either. */
const FUNCTION = /(?:^|[^a-z])function$/;
const NAME = /(?:^|[^a-z])name$/;
/** A tool says what it takes; the name of one may stand elsewhere. */
const PARAMETERS = /(?:^|[^a-z])(?:parameters|schema|description)$/;
/** A place where a text is, or a text that nobody wrote: sound, a picture, a signature. */
const NO_TEXT = /^(?:[a-z][\w+.-]*:\/\/\S+|[\w+/=-]{32,})$/i;
/** No message is deeper within the values of a file. */
const DEEPEST = 60;

/** What is said in a value, by the names of its members. `isBeside`: names of members that hold nothing of it. */
export function saidIn(node: JsonNode, isBeside: (name: string) => boolean = () => false): SaidText[] {
  const said: SaidText[] = [];
  collect(node, { name: '', depth: 0 });
  return said;

  function collect(value: JsonNode, place: Place): void {
    if (place.depth > DEEPEST) return;
    const inside = { ...place, depth: place.depth + 1 };
    if (value.type === 'array') for (const item of value.items) collect(item, inside);
    else if (value.type === 'object') collectMembers(value, inside);
    else if (value.type === 'string') collectString(value, place);
  }

  function collectMembers({ members }: JsonObjectNode, place: Place): void {
    // What failed has a question, and no answer.
    if (members.some(({ key, value }) => key === 'error' && value.type === 'object')) return;
    const isNamed = place.kind === 'call' || members.some(({ key }) => PARAMETERS.test(wordsOf(key)));
    for (const { key, value } of members) {
      if (isBeside(key)) continue;
      const words = wordsOf(key);
      if (isNamed && value.type === 'string' && NAME.test(words)) collectString(value, { ...place, isName: true });
      else collect(value, { ...placeOf(words, key, place), depth: place.depth });
    }
  }

  function collectString({ value, start: at }: JsonStringNode, { kind, name, isName }: Place): void {
    const text = value.trim();
    if (text === '') return;
    if (kind === 'call' || kind === 'tool') {
      if (isName) said.push({ text, kind, name, at });
    } else if (kind === 'text' && !NO_TEXT.test(text)) said.push({ text, kind, name, at });
    else if (/^[[{]/.test(text)) said.push({ text, kind: 'json', name, at });
  }
}

interface Place {
  readonly name: string;
  readonly depth: number;
  readonly kind?: SaidText['kind'] | undefined;
  readonly isName?: boolean;
}

function placeOf(words: string, name: string, around: Place): Omit<Place, 'depth'> {
  if (CALL.test(words)) return { name, kind: 'call' };
  if (TOOLS.test(words)) return { name, kind: 'tool' };
  if (FUNCTION.test(words)) return { name: around.name || name, kind: around.kind === 'tool' ? 'tool' : 'call' };
  return { name, kind: TEXT.test(words) ? 'text' : undefined };
}

/** A name in lower case, with an underscore before each capital. */
function wordsOf(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase();
}
