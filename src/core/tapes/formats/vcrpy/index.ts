import { readTextDocument } from '../../../documents/textDocument';
import type { Tape } from '../../../model/tape';
import { t } from '../../../text/l10n';
import { memoiseLast } from '../../../text/memo';
import type { Problem } from '../../../text/source';
import type { TextParts } from '../../../text/textParts';
import { skipPrologue } from '../../../yaml/yamlOutline';
import type { TapeFormat } from '../../format';
import { withProblems } from '../../lazyTape';
import { ofAnother } from '../../notRead';
import { otherProgram } from '../../otherPrograms';
import { type TapeFile, textParts } from '../../tapeFile';
import { HTTP_EXCHANGES, writeSubset } from '../../writableFormat';
import { httpEditMembers } from '../shared/editHttpTape';
import { emptyCassetteOf } from '../shared/emptyCassette';
import type { HttpLayout } from '../shared/httpTape';
import { outlineOf } from '../shared/marks';
import { editYamlHttpTape, followYamlHttpTape, readYamlHttpTape, type YamlHttpFormat } from '../shared/yamlHttpTape';
import { pythonTagProblems, VCRPY_EXCHANGE, vcrpyShape } from './read';
import { writeParsedBodies, writeVcrpy } from './write';

const LAYOUT: HttpLayout = {
  id: 'vcrpy',
  ...VCRPY_EXCHANGE,
  at: { ...VCRPY_EXCHANGE.at, entries: 'interactions', version: 'version' },
};

const stockFormat: YamlHttpFormat = {
  layout: LAYOUT,
  writer: { step: 2, width: 80, plainness: 'ascii', binaryColumns: 76 },
  shape: vcrpyShape,
};

/** Pydantic AI's serializer folds longer lines and leaves text as it is. */
const parsedBodyFormat: YamlHttpFormat = {
  layout: { ...LAYOUT, id: 'vcrpy-parsed-body' },
  writer: { step: 2, width: 120, plainness: 'bmp', binaryColumns: 76 },
  shape: vcrpyShape,
};

/** Cassettes of vcrpy (kevin1024/vcrpy), in YAML or JSON, the recorder of most Python test suites. */
export const vcrpyFormat = {
  id: 'vcrpy',
  label: 'vcrpy cassette',
  family: 'http',
  extensions: ['yaml', 'yml', 'json'],
  looksLike: (file) => isVcrpy(file) && !hasParsedBodies(textParts(file)),
  servesInOrder: true,
  read: (file) => read(stockFormat, file),
  ...writeSubset(HTTP_EXCHANGES, writeVcrpy),
  ...httpEditMembers((file, edit) => editYamlHttpTape(stockFormat, file, edit)),
  followingEdits: (file, changes) => followYamlHttpTape(stockFormat, file, changes),
  newFileName: { ofAgents: /\.ya?ml$/i },
  tested: { recorder: 'vcr', orphans: 'by-folder' },
} satisfies TapeFormat;

/** The dialect of Pydantic AI's tests (`tests/json_body_serializer.py`), which stores JSON bodies parsed. */
export const vcrpyParsedBodyFormat = {
  id: 'vcrpy-parsed-body',
  label: 'vcrpy cassette with parsed bodies',
  family: 'http',
  extensions: ['yaml', 'yml'],
  looksLike: (file) => isVcrpy(file) && hasParsedBodies(textParts(file)),
  servesInOrder: true,
  read: (file) => read(parsedBodyFormat, file),
  ...writeSubset(HTTP_EXCHANGES, writeParsedBodies),
  ...httpEditMembers((file, edit) => editYamlHttpTape(parsedBodyFormat, file, edit)),
  followingEdits: (file, changes) => followYamlHttpTape(parsedBodyFormat, file, changes),
  tested: { recorder: 'vcr', orphans: 'by-folder' },
} satisfies TapeFormat;

const START = /^(?:(["']?)(?:interactions|version)\1\s*:|- +(["']?)request\2:|[{[])/;

function isVcrpy(file: TapeFile): boolean {
  const text = textParts(file);
  if (!START.test(skipPrologue(text))) return false;
  if (emptyCassetteOf(text) === 'vcrpy') return true;
  const paths = outlineOf(text);
  const has = (request: string): boolean =>
    paths.has(`${request}.uri`) || (paths.has(`${request}.host`) && paths.has(`${request}.path`));
  return has('interactions[].request') || has('[].request');
}

const hasParsedBodies = memoiseLast((text: TextParts) => {
  if (!text.includes('parsed_body')) return false;
  const paths = outlineOf(text);
  return ['request', 'response'].some((side) => paths.has(`interactions[].${side}.parsed_body`));
});

function read(format: YamlHttpFormat, file: TapeFile): Tape {
  const tape = readYamlHttpTape(format, file);
  return withProblems(tape, () => [...listed(file, tape), ...pythonTagProblems(file.text)]);
}

/** A list of interactions, without the object around it: of vcrpy before version 1, or of another program. */
function listed({ text }: TapeFile, { interactions: [first] }: Tape): Problem[] {
  const start = text.search(/\S/);
  if (!/^(?:-(?!--)|\[)/.test(text.slice(start).replace(/^---[^\n]*\n/, ''))) return [];
  const at = first?.source.start ?? start;
  const span = { start: at, end: Math.min(at + 1, text.length) };
  const [root] = readTextDocument(text).roots;
  const entry = root?.type === 'array' ? root.items[0] : undefined;
  const program = otherProgram('vcrpy', entry);
  if (program !== undefined)
    return [
      ofAnother(t('vcrpy refuses this list of interactions, which looks like a file of {0}', program), span, program),
    ];
  const isOwn = entry?.type === 'object' && entry.members.every(({ key }) => key === 'request' || key === 'response');
  if (!isOwn) return [ofAnother(t('vcrpy refuses this list of interactions, which it did not write'), span)];
  return [
    {
      severity: 'error',
      message: t('Your cassette files were generated in an older version of VCR: vcrpy refuses them'),
      fix: t('Record the cassette again, or run the migration script of vcrpy (`python -m vcr.migration`).'),
      span,
    },
  ];
}
