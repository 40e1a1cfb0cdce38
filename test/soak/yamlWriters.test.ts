import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { JsonNode } from '../../src/core/json/jsonNode';
import { readYaml, readYamlByLibrary } from '../../src/core/yaml/readYaml';
import { pythonWith } from '../harness/peers';

const run = promisify(execFile);
const LINES = { maxBuffer: 256 * 1024 * 1024 };

/** Texts that have a meaning in YAML, or need an escape, and the ways to put them together. */
const WORDS = String.raw`['a','the','{"x": 1}','"q"',"it's",'#c','# hash','- x','k: v','é','日本','😀','\\n','  ','   ',"\n","\n\n","\n "," \n",'...','---','%','@','!x','&a','*b','|','>','[',']','{','}',',','null','true','1.0','0x1F','12:30','2024-01-01','yes','~','=','<<',"\x07","\x7f",'long'*20,'word '*30,'x'*200,"\n\t","\t\n",':','?','? x','-',"'",'\\',"\u00a0",'1_000','.5','+1','y','n','no']`;

/** Dumps values with every option of PyYAML, in Python and C; prints each with what PyYAML reads, one in a line. */
const PYYAML = `
import base64, json, random, re, sys, yaml
random.seed(int(sys.argv[1]))
W = ${WORDS}
class L(yaml.SafeLoader): pass
# Dates, and numbers in other notations, stay text in a tape.
L.yaml_implicit_resolvers = {k: [(t, r) for t, r in v if not t.endswith('timestamp')] for k, v in yaml.SafeLoader.yaml_implicit_resolvers.items()}
L.add_constructor('tag:yaml.org,2002:int', lambda l, n: int(n.value.replace('_', '')) if re.match(r'^[-+]?(0|[1-9][0-9_]*)$', n.value) else n.value)
L.add_constructor('tag:yaml.org,2002:float', lambda l, n: float(n.value.replace('_', '')) if re.match(r'^([-+]?[0-9][0-9_]*\\.[0-9_]*|\\.[0-9_]+)([eE][-+][0-9]+)?$', n.value) else n.value)
L.add_constructor('tag:yaml.org,2002:binary', lambda l, n: {'$b': ''.join(n.value.split())})
def text():
    return random.choice(['', ' ', '', '\\n']).join(random.choice(W) for _ in range(random.choice([0, 1, 1, 2, 3, 5, 9])))
def value(d=0):
    r = random.random()
    if d < 4 and r < 0.2: return {text()[:40]: value(d + 1) for _ in range(random.randint(0, 4))}
    if d < 4 and r < 0.35: return [value(d + 1) for _ in range(random.randint(0, 4))]
    if r < 0.8: return text()
    if r < 0.85: return bytes(random.randrange(256) for _ in range(random.choice([0, 3, 100])))
    return random.choice([None, True, False, 0, 1, -5, 10**20, 1.5, 1e300, 1e-7, 3.0])
for i in range(int(sys.argv[2])):
    shared = [text()]
    v = {'interactions': [value(), value()], text(): value(), 's': shared, 't': {'u': shared}}
    options = dict(default_flow_style=random.choice([False, False, None, True]), allow_unicode=random.choice([True, False]), width=random.choice([None, 40, 80, 120, 10**6]), indent=random.choice([None, 2, 3, 4, 6]), sort_keys=random.choice([True, False]), default_style=random.choice([None, None, "'", '"', '|', '>']), explicit_start=random.choice([None, True]), explicit_end=random.choice([None, None, True]), line_break=random.choice([None, None, '\\r\\n']))
    dumpers = [yaml.SafeDumper] + ([yaml.CSafeDumper] if hasattr(yaml, 'CSafeDumper') else [])
    try:
        t = yaml.dump(v, Dumper=random.choice(dumpers), **options)
        print(json.dumps([t, yaml.load(t, Loader=L)]))
    except yaml.YAMLError:
        pass
`;

const PSYCH = `
require 'yaml'; require 'json'
srand(ARGV[0].to_i)
W = ${WORDS}
def text; (1..[0, 1, 1, 2, 3, 5, 9].sample).map { W.sample }.join(['', ' ', '', "\\n"].sample); end
def value(d = 0)
  r = rand
  if d < 4 && r < 0.2 then h = {}; rand(0..4).times { h[text[0, 40]] = value(d + 1) }; return h end
  return (1..rand(0..4)).map { value(d + 1) } if d < 4 && r < 0.35
  return text if r < 0.85
  [nil, true, false, 0, 1, -5, 10**20, 1.5, 1e300, 1e-7, 3.0].sample
end
ARGV[1].to_i.times do
  s = text
  bytes = Random.bytes(50)
  t = YAML.dump({ 'http_interactions' => value, 's' => s, 't' => s, 'bin' => bytes }, line_width: [0, -1, 80, 40].sample, indentation: [2, 4].sample)
  v = (YAML.load(t) rescue next)
  v['bin'] = { '$b' => [bytes].pack('m0') }
  puts JSON.generate([t, v])
end
`;

function plain(node: JsonNode): unknown {
  switch (node.type) {
    case 'string':
      return node.binary ? { $b: node.value.replace(/\s+/g, '') } : node.value;
    case 'number':
      return Number(node.lexeme);
    case 'literal':
      return node.value;
    case 'array':
      return node.items.map(plain);
    case 'object':
      return Object.fromEntries(node.members.map(({ key, value }) => [key, plain(value)]));
  }
}

function assertReadEqual(output: string): void {
  const lines = output.split('\n').filter((line) => line !== '');
  assert.ok(lines.length > 1000, `only ${lines.length} texts`);
  for (const line of lines) {
    const [text, expected] = JSON.parse(line) as [string, unknown];
    for (const read of [readYaml, readYamlByLibrary]) {
      const { value: [root] = [], problems } = read(text);
      assert.deepEqual([root && plain(root), problems], [expected, []], JSON.stringify(text));
    }
  }
}

describe('YAML of other writers', function () {
  this.timeout(600_000);
  const seed = `${Date.now() % 100_000}`;

  it(`of PyYAML in every style is read as PyYAML reads it (seed ${seed})`, async function () {
    const peer = await pythonWith('yaml');
    if ('missing' in peer) this.skip();
    else assertReadEqual((await run(peer.python, ['-c', PYYAML, seed, '3000'], LINES)).stdout);
  });

  it(`of Ruby's Psych is read as Psych reads it (seed ${seed})`, async function () {
    const output = await run('ruby', ['-e', PSYCH, '--', seed, '3000'], LINES).catch(() => undefined);
    if (output === undefined) this.skip();
    else assertReadEqual(output.stdout);
  });
});
