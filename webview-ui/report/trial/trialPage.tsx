import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CellAddress, ShownTrial } from '../../../src/contracts/pages/trialPage';
import type { Trial, TrialCell } from '../../../src/core/model/trial';
import { message, t } from '../../../src/core/text/l10n';
import { Announcements, announce } from '../../base/announcements';
import { Icon } from '../../base/icon';
import { useShown } from '../../base/useShown';
import { MEASURES } from './measures';
import { cellOf, nextOrder, type Order, type Shown } from './order';
import { SamplesDialog } from './samplesDialog';
import { TrialGrid } from './trialGrid';
import { TrialHead } from './trialHead';
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
