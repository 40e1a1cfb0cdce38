import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CellAddress, ShownTrial } from '../../../src/contracts/pages/trialPage';
import type { Trial, TrialCell, TrialSample } from '../../../src/core/model/trial';
import { counted, grouped } from '../../../src/core/text/counts';
import { message, t } from '../../../src/core/text/l10n';
import { Announcements, announce } from '../../base/announcements';
import { Icon, type IconName } from '../../base/icon';
import { useShown } from '../../base/useShown';
import { MEASURES, sampleLine } from './measures';
import { cellOf, nextOrder, type Order, type Shown } from './order';
import { TrialGrid } from './trialGrid';
import type { TrialPeer } from './trialPeer';

interface TrialPageProps {
  readonly host: TrialPeer;
  /** Keeps the project, by which the page is restored after the window was loaded anew. */
  onKeep(folder: string): void;
}

/** A trial: what each model did with each case, from the whole to a single sample. */
export function TrialPage({ host, onKeep }: TrialPageProps): VNode {
  const { shown: state } = useShown(host.state);
  const [order, setOrder] = useState<Order>();
  const [shown, setShown] = useState<Shown>('all');
  const [opened, setOpened] = useState<CellAddress>();
  useEffect(() => {
    if (state !== undefined) onKeep(state.folder);
  }, [state?.folder]);
  useEndAnnounced(state);
  if (state === undefined) return <main class="report trial" aria-busy="true" />;
  const { trial, notice } = state;
  const openedCell = opened && trial && cellOf(trial, opened.casePath, opened.model);
  const open = (cell: TrialCell): void => {
    if (opensAtOnce(cell)) void host.calls.compare({ ...addressOf(cell), sample: cell.samples[0]?.sample ?? 1 });
    else if (cell.samples.length > 0) setOpened(addressOf(cell));
  };
  return (
    <main class="report trial">
      <TrialHead state={state} host={host} />
      {notice !== undefined && (
        <p class="notice" role="status">
          <Icon name="info" />
          {notice}
        </p>
      )}
      {trial !== undefined && (
        <>
          <ShownMeasures shown={shown} onShow={setShown} />
          <TrialGrid
            state={state}
            trial={trial}
            order={order}
            shown={shown}
            onOrder={(model) => setOrder(nextOrder(order, model, shown))}
            onOpenCase={(casePath) => void host.calls.openCase({ casePath })}
            onOpen={open}
            onAdopt={(model) => void host.calls.adopt({ model })}
          />
          <p class="note">{legend(trial)}</p>
        </>
      )}
      {trial !== undefined && openedCell !== undefined && (
        <SamplesDialog trial={trial} cell={openedCell} host={host} onClose={() => setOpened(undefined)} />
      )}
      <Announcements />
    </main>
  );
}

/** A single sample that can be compared needs no list, unless it has a message. */
function opensAtOnce({ samples: [first, ...others] }: TrialCell): boolean {
  return first?.compared !== undefined && first.failure === undefined && others.length === 0;
}

function addressOf({ casePath, model }: TrialCell): CellAddress {
  return { casePath, model };
}

function legend({ samples }: Trial): string {
  const help = t(
    "Changes are counted against the case's baseline, or against its tape if it has none. Use the arrow keys to move between cells and Enter to open one.",
  );
  return samples > 1 ? `${t('Medians, with the first and the third quartile.')} ${help}` : help;
}

/** Samples end too often to announce each. */
function useEndAnnounced(state: ShownTrial | undefined): void {
  const wasRunning = useRef(false);
  const isRunning = state?.progress !== undefined;
  useEffect(() => {
    if (isRunning && !wasRunning.current) announce(t('Recording.'));
    if (!isRunning && wasRunning.current)
      announce(
        state?.trial?.isComplete
          ? t('All samples are recorded.')
          : t('The recording ended before all samples were recorded.'),
      );
    wasRunning.current = isRunning;
  }, [isRunning]);
}

interface ShownMeasuresProps {
  readonly shown: Shown;
  onShow(shown: Shown): void;
}

/** What the cells show besides the verdicts; rows are sorted by it. */
function ShownMeasures({ shown, onShow }: ShownMeasuresProps): VNode {
  const choices = [{ name: 'all', label: message('All') } as const, ...MEASURES];
  return (
    <fieldset class="shown-measures">
      <legend>{t('Show')}</legend>
      {choices.map(({ name, label }) => (
        <button
          key={name}
          type="button"
          class="button-quiet"
          aria-pressed={name === shown}
          onClick={() => onShow(name)}
        >
          {t(label)}
        </button>
      ))}
    </fieldset>
  );
}

interface TrialHeadProps {
  readonly state: ShownTrial;
  readonly host: TrialPeer;
}

/** The head of the page: the trial, its progress, and its actions. */
function TrialHead({ state, host }: TrialHeadProps): VNode {
  const { trial, progress, canRun } = state;
  const rest = trial && restText(trial);
  return (
    <header class="report-head">
      <div>
        <h1>
          {trial === undefined ? t('Trial') : counted(trial.cases.length, 'Trial of {0} case', 'Trial of {0} cases')}
        </h1>
        {trial !== undefined && <p class="report-line">{headline(trial)}</p>}
        {progress !== undefined && <Progress done={progress.done} of={progress.of} />}
      </div>
      {progress !== undefined ? (
        <button type="button" class="button-secondary" onClick={() => void host.calls.cancel(undefined)}>
          {t('Cancel')}
        </button>
      ) : (
        rest !== undefined && (
          <button
            type="button"
            class={trial?.isComplete ? 'button-secondary' : 'button'}
            disabled={!canRun}
            onClick={() => void host.calls.goOn(undefined)}
          >
            <Icon name="play" />
            {rest}
          </button>
        )
      )}
    </header>
  );
}

/** What is left to record; undefined if every sample has a result. */
function restText({ cells, isComplete }: Trial): string | undefined {
  if (!isComplete) return t('Record Missing Samples…');
  return cells.some(({ summary }) => summary.errors > 0) ? t('Record Errors Again…') : undefined;
}

/** `3 models, 5 samples of each case · 288 of 300 samples · 2 errors`. */
function headline({ models, samples, cases, cells }: Trial): string {
  const whole = cases.filter(({ refusal }) => refusal === undefined).length * models.length * samples;
  const there = cells.reduce((sum, cell) => sum + cell.samples.length, 0);
  const errors = cells.reduce((sum, cell) => sum + cell.summary.errors, 0);
  return [
    t(
      '{0}, {1}',
      counted(models.length, '{0} model', '{0} models'),
      counted(samples, '{0} sample of each case', '{0} samples of each case'),
    ),
    there === whole
      ? counted(whole, 'all {0} sample recorded', 'all {0} samples recorded')
      : counted(whole, '{1} of {0} sample recorded', '{1} of {0} samples recorded', grouped(there)),
    ...(errors > 0 ? [counted(errors, '{0} error', '{0} errors')] : []),
  ].join(' · ');
}

function Progress({ done, of }: { readonly done: number; readonly of: number }): VNode {
  return (
    <p class="trial-progress">
      <progress value={done} max={of} aria-label={t('Samples recorded')} />
      {t('{0} of {1}', grouped(done), grouped(of))}
    </p>
  );
}

interface SamplesDialogProps {
  readonly trial: Trial;
  readonly cell: TrialCell;
  readonly host: TrialPeer;
  onClose(): void;
}

/** The samples of a cell, of which one is chosen to compare. */
function SamplesDialog({ trial, cell, host, onClose }: SamplesDialogProps): VNode {
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
          aria-label={how === 'compare' ? t('Compare Sample {0}', number) : t('Open Sample {0}', number)}
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
