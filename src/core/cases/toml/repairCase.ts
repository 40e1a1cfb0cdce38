import { t } from '../../text/l10n';
import type { Problem } from '../../text/source';
import { applySplices, composeSplices, type Splice } from '../../text/splice';
import { removeTomlKey, setTomlKey, tomlString } from '../../toml/editToml';
import { readToml } from '../../toml/readToml';

/** A quick fix for a problem of a case. */
interface CaseRepair {
  /** The title in the menu. */
  readonly title: string;
  readonly splices: readonly Splice[];
}

/**
 * The quick fixes for a problem that `readCase` found in `text`; empty for problems that need the author. `stem` is the
 * name of the file without its extension.
 */
export function repairCase(text: string, { code = '', span }: Problem, stem: string): readonly CaseRepair[] {
  // The problem may belong to an earlier version of the text.
  if (code === '' || readToml(text).value === undefined) return [];
  const [kind = '', rest = ''] = code.split(/:(.*)/s);
  switch (kind) {
    case 'tape-and-steps':
      return [
        removal(text, t('Remove the script'), 'llm', 'steps'),
        removal(text, t('Remove the tape'), 'llm', 'tape'),
      ].flat();
    case 'provider-and-script':
      return [removal(text, t('Remove the provider'), 'llm', 'provider'), tapeForScript(text, stem)].flat();
    case 'no-tape':
      return [addition(text, ['llm'], 'tape', `${stem}.tape.json`)];
    case 'missing':
      return rest === 'name' || rest === 'prompt' ? [addition(text, [], rest, rest === 'name' ? stem : '')] : [];
    case 'rename':
      return [{ title: t('Change to {0}', rest), splices: [{ ...span, text: rest }] }];
    case 'value':
      return [{ title: t('Change to {0}', tomlString(rest)), splices: [{ ...span, text: tomlString(rest) }] }];
    case 'remove':
      return removal(text, t('Remove {0}', rest), ...rest.split('.'));
    case 'choice':
      return rest.split(',').map((choice) => ({
        title: t('Change to "{0}"', choice),
        splices: [{ ...span, text: tomlString(choice) }],
      }));
    default:
      return [];
  }
}

function addition(text: string, table: readonly string[], key: string, value: string): CaseRepair {
  return {
    title: t('Add {0} = {1}', key, tomlString(value)),
    splices: [setTomlKey(text, table, key, tomlString(value))],
  };
}

function removal(text: string, title: string, ...path: readonly string[]): readonly CaseRepair[] {
  const splices = removeTomlKey(text, path);
  return splices.length === 0 ? [] : [{ title, splices }];
}

/** Replaces the script with a tape for the provider to record to. */
function tapeForScript(text: string, stem: string): readonly CaseRepair[] {
  const removed = [...removeTomlKey(text, ['llm', 'steps']), ...removeTomlKey(text, ['llm', 'responses'])];
  if (removed.length === 0) return [];
  const { splices: added } = addition(applySplices(text, removed), ['llm'], 'tape', `${stem}.tape.json`);
  const hasTape = /^[ \t]*(?:record_)?tape[ \t]*=/m.test(text);
  return [
    { title: t('Use a tape instead of the script'), splices: hasTape ? removed : composeSplices(text, removed, added) },
  ];
}
