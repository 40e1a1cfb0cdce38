import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Trial, TrialCell, TrialSample } from '../../../src/core/model/trial';
import { message, t } from '../../../src/core/text/l10n';
import { Icon, type IconName } from '../../base/icon';
import { sampleLine } from './measures';
import type { TrialPeer } from './trialPeer';

interface SamplesDialogProps {
  readonly trial: Trial;
  readonly cell: TrialCell;
  readonly host: TrialPeer;
  onClose(): void;
}

/** The samples of a cell, of which one is chosen to compare. */
export function SamplesDialog({ trial, cell, host, onClose }: SamplesDialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const { casePath, model, samples } = cell;
  const name = trial.cases.find((one) => one.casePath === casePath)?.name ?? casePath;
  return (
    <dialog ref={dialog} class="dialog samples" aria-labelledby="samples-title" onClose={onClose}>
      <header>
        <h2 id="samples-title">{t('{0} with {1}', name, model)}</h2>
        <button type="button" class="button-quiet" aria-label={t('Close')} onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      <ul class="rows">
        {samples.map((sample) => (
          <SampleRow
            key={sample.sample}
            sample={sample}
            onShow={(how) => {
              dialog.current?.close();
              void host.calls[how]({ casePath, model, sample: sample.sample });
            }}
          />
        ))}
      </ul>
    </dialog>
  );
}

interface Look {
  readonly icon: IconName;
  readonly tone: string;
  readonly words: string;
}

const LOOKS: Readonly<Record<TrialSample['verdict'], Look>> = {
  passed: { icon: 'check', tone: 'passed', words: message('Sample {0}: passed') },
  failed: { icon: 'error', tone: 'failed', words: message('Sample {0}: failed') },
  error: { icon: 'warning', tone: 'warning', words: message('Sample {0}: error') },
};

interface SampleRowProps {
  readonly sample: TrialSample;
  onShow(how: 'compare' | 'openTape'): void;
}

function SampleRow({ sample, onShow }: SampleRowProps): VNode {
  const { sample: number, verdict, failure, compared, tapePath } = sample;
  const { icon, tone, words } = LOOKS[verdict];
  const how = compared !== undefined ? 'compare' : tapePath !== undefined ? 'openTape' : undefined;
  return (
    <li class="sample">
      <span class={`icon-${tone}`}>
        <Icon name={icon} />
        {` ${t(words, number)}`}
      </span>
      <span class="quiet">{sampleLine(sample)}</span>
      {how !== undefined && (
        <button
          type="button"
          class="button-secondary"
          aria-label={how === 'compare' ? t('Compare sample {0}', number) : t('Open sample {0}', number)}
          onClick={() => onShow(how)}
        >
          {how === 'compare' ? t('Compare') : t('Open')}
        </button>
      )}
      {failure !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long message scrolls, so the keyboard has to reach it
        <pre tabIndex={0}>{failure}</pre>
      )}
    </li>
  );
}
