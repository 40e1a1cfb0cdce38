import type { Tape } from '../../../model/tape';
import { readTextDocument } from '../../../syntax/textDocument';
import { t } from '../../../text/l10n';
import type { Problem } from '../../../text/source';
import { any, none } from '../../marks';
import { ofAnother } from '../../notRead';
import { otherProgram } from '../../otherPrograms';
import type { TapeFile } from '../../tapeFile';
import { emptyCassetteOf } from '../shared/emptyCassette';
import { type HttpDescription, httpFormat } from '../shared/httpFormat';
import { pythonTagProblems, VCRPY_EXCHANGE, vcrpyShape } from './read';
import { writeParsedBodies, writeVcrpy } from './write';

/** What all cassettes of vcrpy are. */
const CASSETTE = {
  ...VCRPY_EXCHANGE,
  begins: ['interactions', 'version', '[].request'],
  at: { ...VCRPY_EXCHANGE.at, entries: 'interactions', version: 'version' },
  shape: vcrpyShape,
  problems: (file, tape) => [...listed(file, tape), ...pythonTagProblems(file.text)],
  servesInOrder: true,
  tested: { recorder: 'vcr', orphans: 'by-folder' },
} satisfies Partial<HttpDescription>;

const REQUEST = any(
  'interactions[].request.uri',
  ['interactions[].request.host', 'interactions[].request.path'],
  '[].request.uri',
  ['[].request.host', '[].request.path'],
);
const PARSED_BODY = ['interactions[].request.parsed_body', 'interactions[].response.parsed_body'];

/** What similar cassettes of other recorders have: ReqCassette, cassetter, and Betamax. */
const OTHERS = ['interactions[].response.body_type', 'interactions[].response.body.type', 'interactions[].recorded'];

/** Cassettes of vcrpy (kevin1024/vcrpy), in YAML or JSON, the recorder of most Python test suites. */
export const vcrpyFormat = httpFormat({
  ...CASSETTE,
  id: 'vcrpy',
  label: 'vcrpy cassette',
  files: ['yaml', 'yml', 'json'],
  marks: [REQUEST, none(...PARSED_BODY, ...OTHERS)],
  isEmpty: (text) => emptyCassetteOf(text) === 'vcrpy',
  yaml: { step: 2, width: 80, plainness: 'ascii', binaryColumns: 76 },
  newFileName: { ofAgents: /\.ya?ml$/i },
  write: writeVcrpy,
});

/** The dialect of Pydantic AI's tests (`tests/json_body_serializer.py`), which stores JSON bodies parsed. */
export const vcrpyParsedBodyFormat = httpFormat({
  ...CASSETTE,
  id: 'vcrpy-parsed-body',
  label: 'vcrpy cassette with parsed bodies',
  files: ['yaml', 'yml'],
  marks: [any(...PARSED_BODY), REQUEST],
  // Its serializer folds longer lines than vcrpy's, and leaves text as it is.
  yaml: { step: 2, width: 120, plainness: 'bmp', binaryColumns: 76 },
  write: writeParsedBodies,
});

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
