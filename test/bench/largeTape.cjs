// node largeTape.cjs write FILE [INTERACTIONS] | JSON.parse FILE | index FILE BUNDLE | all FILE BUNDLE
// Writes a large MoFA tape; or reads one (all: with what its interactions say), and prints the time in milliseconds and
// the process' peak memory in bytes.
const { closeSync, openSync, readFileSync, writeSync } = require('node:fs');

const TAPE_BYTES = 100e6;
/** Of an interaction: what is always there, and the text at its usual length. */
const FIXED_BYTES = 1412;
const PROSE_BYTES = 2100;
const WORDS = 'the order has been shipped and arrives tomorrow unless customs keeps it for want of papers'.split(' ');

const [task, path, bundle] = process.argv.slice(2);
if (task === 'write') write(Number(bundle ?? 28_473));
else console.log(JSON.stringify(measure()));

function measure() {
  const { detectFormat, decodeTapeFile } = bundle === undefined ? {} : require(bundle);
  const read = (file) => detectFormat(file).read(file);
  const actions = {
    'JSON.parse': ({ text }) => JSON.parse(text),
    index: read,
    all: (file) => {
      const tape = read(file);
      return [tape, tape.problems];
    },
  };
  const file = bundle === undefined ? { text: readFileSync(path, 'utf8') } : decodeTapeFile(path, readFileSync(path));
  const start = performance.now();
  const kept = actions[task](file);
  const ms = performance.now() - start;
  if (kept === undefined) throw new Error('nothing was read');
  return { ms, peak: process.resourceUsage().maxRSS * 1024 };
}

/** So many interactions, or a few more or less. */
function write(count) {
  const out = openSync(path, 'w');
  writeSync(out, '{\n  "version": 1,\n  "case_name": "large",\n  "interactions": [');
  let written = 0;
  for (let index = 0; written < TAPE_BYTES; index += 1) {
    const entry = JSON.stringify(interaction(index, (TAPE_BYTES / count - FIXED_BYTES) / PROSE_BYTES), null, 2).replace(
      /^/gm,
      '    ',
    );
    written += writeSync(out, `${index === 0 ? '' : ','}\n${entry}`);
  }
  writeSync(out, '\n  ]\n}');
  closeSync(out);
}

function interaction(index, scale) {
  const call = { id: `call_${index}`, name: 'find_order', arguments: { id: index, deep: { list: [1, 2.5, true] } } };
  const message = (role, content, rest = {}) => ({ role, content, tool_call_id: null, tool_calls: [], ...rest });
  return {
    request: {
      messages: [
        message('system', prose(index, 600 * scale)),
        message('user', prose(index + 1, 300 * scale)),
        message('assistant', null, { tool_calls: [call] }),
        message('tool', prose(index + 2, 450 * scale), { tool_call_id: call.id }),
      ],
      model: 'gpt-4o-mini',
      temperature: 0.7,
      max_tokens: 1024,
      tool_names: ['find_order', 'ship'],
    },
    response: prose(index + 3, 750 * scale),
    tool_calls: [],
    usage: { prompt_tokens: 1000 + index, completion_tokens: 200, total_tokens: 1200 + index },
  };
}

/** Words with a line end or a quotation now and then, as answers have them. */
function prose(seed, length) {
  let text = '';
  for (let at = seed; text.length < length; at += 7) {
    const gap = at % 17 === 0 ? '.\n' : at % 53 === 0 ? ' "so" ' : ' ';
    text += WORDS[at % WORDS.length] + gap;
  }
  return text;
}
