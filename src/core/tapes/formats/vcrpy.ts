import type { Problem } from '../../text/source';
import { afterPrologue } from '../../yaml/prologue';
import type { Tape } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { TapeFormat } from '../tapeFormat';
import { EXCHANGES, writing } from './holdings';
import { httpEdits } from './httpEdits';
import type { HttpLayout } from './jsonHttp';
import { pythonTagProblems, VCRPY_EXCHANGE, vcrpyShape } from './vcrpyTree';
import { writeParsedBodies, writeVcrpy } from './vcrpyWrite';
import {
  editYamlHttpTape,
  followYamlHttpTape,
  outlineOf,
  readYamlHttpTape,
  withProblems,
  type YamlHttpFormat,
} from './yamlHttp';

const LAYOUT: HttpLayout = {
  format: 'vcrpy',
  entries: ['interactions'],
  version: ['version'],
  ...VCRPY_EXCHANGE,
};

const stock: YamlHttpFormat = {
  layout: LAYOUT,
  writer: { step: 2, width: 80, plainness: 'ascii', binaryColumns: 76 },
  shape: vcrpyShape,
};

/** Pydantic AI's serializer folds later and leaves text as it is. */
const parsedBody: YamlHttpFormat = {
  layout: { ...LAYOUT, format: 'vcrpy-parsed-body' },
  writer: { step: 2, width: 120, plainness: 'bmp', binaryColumns: 76 },
  shape: vcrpyShape,
};

/** Cassettes of vcrpy (kevin1024/vcrpy), in YAML or JSON: what most of Python's test suites record with. */
export const vcrpyFormat = {
  id: 'vcrpy',
  label: 'vcrpy cassette',
  looksLike: (file) => isVcrpy(file) && !hasParsedBodies(file),
  read: (file) => read(stock, file),
  ...writing(EXCHANGES, writeVcrpy),
  ...httpEdits((file, edit) => editYamlHttpTape(stock, file, edit)),
  follow: (file, changes) => followYamlHttpTape(stock, file, changes),
} satisfies TapeFormat;

/** The dialect of Pydantic AI's tests (`tests/json_body_serializer.py`), which stores JSON bodies parsed. */
export const vcrpyParsedBodyFormat = {
  id: 'vcrpy-parsed-body',
  label: 'vcrpy cassette with parsed bodies',
  looksLike: (file) => isVcrpy(file) && hasParsedBodies(file),
  read: (file) => read(parsedBody, file),
  ...writing(EXCHANGES, writeParsedBodies),
  ...httpEdits((file, edit) => editYamlHttpTape(parsedBody, file, edit)),
  follow: (file, changes) => followYamlHttpTape(parsedBody, file, changes),
} satisfies TapeFormat;

const START = /^(?:"?interactions"?\s*:|"?version"?\s*:|- +request:|[{[])/;

function isVcrpy({ text }: TapeFile): boolean {
  if (!START.test(afterPrologue(text))) return false;
  if (/^interactions: *\[\]\s*version: *1\s*$/.test(text.slice(0, 256))) return true;
  const paths = outlineOf(text);
  const has = (request: string): boolean =>
    paths.has(`${request}.uri`) || (paths.has(`${request}.host`) && paths.has(`${request}.path`));
  return has('interactions[].request') || has('[].request');
}

function hasParsedBodies({ text }: TapeFile): boolean {
  if (!text.includes('parsed_body')) return false;
  const paths = outlineOf(text);
  return ['request', 'response'].some((side) => paths.has(`interactions[].${side}.parsed_body`));
}

function read(format: YamlHttpFormat, file: TapeFile): Tape {
  const tape = readYamlHttpTape(format, file);
  return withProblems(tape, () => [...oldFormat(file, tape), ...pythonTagProblems(file.text)]);
}

function oldFormat({ text }: TapeFile, { interactions: [first] }: Tape): Problem[] {
  const start = text.search(/\S/);
  if (!/^(?:-(?!--)|\[)/.test(text.slice(start).replace(/^---[^\n]*\n/, ''))) return [];
  const at = first?.source.start ?? start;
  return [
    {
      severity: 'error',
      message: 'Your cassette files were generated in an older version of VCR: vcrpy refuses them',
      fix: 'Record the cassette again, or run the migration script of vcrpy (`python -m vcr.migration`).',
      span: { start: at, end: Math.min(at + 1, text.length) },
    },
  ];
}
