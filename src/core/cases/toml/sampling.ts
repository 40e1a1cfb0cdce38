import type { Sampling } from '../../model/case';
import { t } from '../../text/l10n';
import type { TableReader } from '../../toml/tableReader';

/** Reads `samples` and `pass_rate` under `[assert]`; undefined if there is neither. */
export function readSampling(root: TableReader): Sampling | undefined {
  const assert = root.table('assert');
  const key = ['pass_rate', 'samples'].find((name) => assert?.has(name));
  if (assert === undefined || key === undefined) return undefined;
  const samples = assert.count('samples', 1) ?? 1;
  const passRate = assert.amount('pass_rate') ?? 1;
  if (passRate > 1)
    assert.report(t('`pass_rate` must be at most 1'), t('For four of five samples, use 0.8.'), 'pass_rate');
  if (samples > 1) reportUnsampled(root, assert);
  return { samples, passRate, span: assert.span(key) };
}

/** Assertions that are judged only once, and so cannot be combined with samples. */
function reportUnsampled(root: TableReader, assert: TableReader): void {
  const agent = root.table('agent');
  const fix = t('Remove `samples`. `tapedeck trial` takes several samples of any case.');
  if (agent?.has('command') || agent?.has('url'))
    assert.report(t('`samples` is for the built-in agent, not for `command` or `url`'), fix, 'samples');
  if (assert.has('semantic')) assert.report(t('`samples` cannot be combined with `semantic`'), fix, 'samples');
}
