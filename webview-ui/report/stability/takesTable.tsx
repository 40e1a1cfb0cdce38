import type { VNode } from 'preact';
import type { ShownVariation } from '../../../src/contracts/engine/stability';
import { t } from '../../../src/core/text/l10n';

interface TakesTableProps {
  readonly varying: readonly ShownVariation[];
  readonly takes: number;
}

/** Which take has which value: equal values have the same letter and shade. */
export function TakesTable({ varying, takes }: TakesTableProps): VNode {
  const numbers = Array.from({ length: takes }, (_, take) => take);
  return (
    // A wide table scrolls, by keyboard too.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the focus
    <section class="report-part takes" aria-label={t('Values by take')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Value')}</th>
            {numbers.map((take) => (
              <th key={take} scope="col" aria-label={t('Take {0}', take + 1)}>
                {take + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {varying.map((variation) => (
            <tr key={variation.title + variation.place}>
              <th scope="row">{variation.title}</th>
              {numbers.map((take) => (
                <TakeCell key={take} variation={variation} take={take} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function TakeCell({ variation, take }: { readonly variation: ShownVariation; readonly take: number }): VNode {
  const at = variation.values.findIndex(({ takes }) => takes.includes(take));
  const text = variation.values[at]?.text;
  return (
    <td class={`value-${Math.min(at, 4)}`} title={text ?? t('absent')}>
      {text === null ? '–' : valueLetter(at)}
    </td>
  );
}

/** A, B, … Z, then numbers. */
export function valueLetter(at: number): string {
  return at < 26 ? String.fromCharCode(65 + at) : String(at + 1);
}
