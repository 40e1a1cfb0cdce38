import { plural } from '../../../core/text/counts';
import { t } from '../../../core/text/l10n';
import { askChoices, askText, BACK, type CheckedChoice } from '../../base/askSteps';
import { countProblem, SAMPLE_COUNTS } from '../recordings/sampleCount';

interface TrialChoice {
  readonly models: readonly string[];
  readonly samples: number;
}

/** Asks which models to try, and how often. Rejects with `CancellationError` when the user cancels. */
export async function askTrial(what: string, models: readonly CheckedChoice[], samples: number): Promise<TrialChoice> {
  const title = t('Try Other Models for {0}', what);
  let offered = models;
  for (;;) {
    const place = { title, step: 1, totalSteps: 2 };
    const chosen = await askChoices(place, t('Check models, or type their names, separated by commas'), offered);
    if (chosen === BACK) continue;
    const count = await askText(
      { title, step: 2, totalSteps: 2 },
      {
        prompt: () => t('How many samples to record of each case with {0}', plural(chosen.length, 'model')),
        placeholder: '',
        value: String(samples),
        validate: (text) => countProblem(text, SAMPLE_COUNTS),
      },
    );
    if (count !== BACK) return { models: chosen, samples: Number(count) };
    offered = withChosen(models, chosen);
  }
}

/** The models again, with those checked that were chosen. */
function withChosen(models: readonly CheckedChoice[], chosen: readonly string[]): readonly CheckedChoice[] {
  const unknown = chosen.filter((name) => models.every(({ label }) => label !== name));
  return [
    ...unknown.map((label) => ({ label, picked: true })),
    ...models.map((item) => ({ ...item, picked: chosen.includes(item.label) })),
  ];
}
