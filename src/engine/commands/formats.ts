import { EXIT_CODES } from '../../core/cases/runOutcome';
import { declaredFormats } from '../../core/tapes/declaredFormats';
import type { TapeFormat } from '../../core/tapes/format';
import { formats } from '../../core/tapes/registry';
import { isRecordable, isWritable } from '../../core/tapes/writableFormat';
import { jsonDocument } from '../reporters/jsonDocument';
import type { FormatsDocument } from '../reporters/jsonDocuments';
import { command, JSON_OUTPUT, refuseArguments } from './command';

export const formatsCommand = command({
  usage: '[--json]',
  about: 'List the formats of tapes, and what Tapedeck does with each: read, convert, record',
  options: { json: JSON_OUTPUT },
  details: `A file is recognised by its content, or by a layout of tapedeck.toml (see \`tapedeck layout\`); \`inspect FILE\` says which format it has. A format that is only read is
searched, compared and reviewed like any other.

  --json  {ok, formats: [{id, label, extensions, convert, record, note?}]}; convert: \`convert --to ID\` writes it;
          record: \`exec\` and \`serve --to ID\` record into it; note says why it is not written, or what plays it

Exit codes: 0 listed; 2 the command line is invalid.`,
  examples: ['tapedeck formats', 'tapedeck formats --json'],
  async run({ positionals, options: { json } }, { print }) {
    refuseArguments(positionals);
    print(json ? jsonDocument<FormatsDocument>(true, { formats: known().map(described) }) : table(known()));
    return EXIT_CODES.ok;
  },
});

/** Those of the project come first, as they do when a file is read. */
function known(): readonly TapeFormat[] {
  return [...declaredFormats(), ...formats];
}

function described(format: TapeFormat): FormatsDocument['formats'][number] {
  const note = format.notWritableReason ?? format.playedWith;
  return {
    id: format.id,
    label: format.label,
    extensions: format.extensions,
    convert: isWritable(format),
    record: isRecordable(format),
    note,
  };
}

function table(listed: readonly TapeFormat[]): string {
  const rows = listed.map((format) => [format.id, format.label, usesOf(format)] as const);
  const [ids, labels] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map(([id, label, uses]) => `${id.padEnd(ids ?? 0)}  ${label.padEnd(labels ?? 0)}  ${uses}\n`).join('');
}

function usesOf(format: TapeFormat): string {
  const { convert, record } = described(format);
  return ['read', ...(convert ? ['convert'] : []), ...(record ? ['record'] : [])].join(', ');
}
