import type { VNode } from 'preact';
import { message, t } from '../../../src/core/text/l10n';
import { Icon, type IconName } from '../../base/icon';
import { keyNames, type TranscriptCommand } from '../commands';
import { useEditing } from '../edit/editing';
import { RunProgressStrip } from '../live/runProgress';
import { MODES, type Mode } from '../state/viewState';

interface TopBarProps {
  readonly name: string;
  readonly mode: Mode;
  onMode(mode: Mode): void;
  onFind(): void;
  onFilter(): void;
  onOutline(): void;
  onHelp(): void;
}

/** The bar that stays at the top of the page: the tape's name, and how it is shown. */
export function TopBar({ name, mode, onMode, onFind, onFilter, onOutline, onHelp }: TopBarProps): VNode {
  return (
    <header class="top-bar">
      <div class="column">
        <h1 dir="auto">{name === '' ? t('Unnamed tape') : name}</h1>
        <RunProgressStrip />
        <ReadOnlyMark />
        <ModeSwitch mode={mode} onChange={onMode} />
        <div class="top-bar-actions">
          <BarButton icon="list-tree" command="outline" label={t('Outline')} onClick={onOutline} />
          <BarButton icon="filter" command="filter" label={t('Filter')} onClick={onFilter} />
          <BarButton icon="search" command="find" label={t('Find')} onClick={onFind} />
          <BarButton icon="question" command="help" label={t('Keyboard Shortcuts')} onClick={onHelp} />
        </div>
      </div>
    </header>
  );
}

interface BarButtonProps {
  readonly icon: IconName;
  readonly label: string;
  /** The command with the keyboard shortcut. */
  readonly command: TranscriptCommand;
  onClick(): void;
}

function BarButton({ icon, label, command, onClick }: BarButtonProps): VNode {
  return (
    <button
      type="button"
      class="button-quiet"
      aria-label={label}
      title={`${label} (${keyNames(command)[0]})`}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

const NAMES: Readonly<Record<Mode, string>> = {
  summary: message('Summary'),
  normal: message('Normal'),
  verbose: message('Verbose'),
};
const TITLES: Readonly<Record<Mode, string>> = {
  summary: message('Hide instructions and tool details (1)'),
  normal: message('Fold long texts (2)'),
  verbose: message('Expand everything (3)'),
};

interface ModeSwitchProps {
  readonly mode: Mode;
  onChange(mode: Mode): void;
}

/** How much of the tape is shown. */
function ModeSwitch({ mode, onChange }: ModeSwitchProps): VNode {
  return (
    <fieldset class="mode-switch">
      <legend class="visually-hidden">{t('View')}</legend>
      {MODES.map((option) => (
        <label key={option} title={t(TITLES[option])}>
          <input type="radio" name="mode" checked={option === mode} onChange={() => onChange(option)} />
          <span>{t(NAMES[option])}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Marks a tape that cannot be edited, with the reason. */
function ReadOnlyMark(): VNode | null {
  const { readOnly } = useEditing();
  if (readOnly === undefined) return null;
  return (
    <span class="read-only" title={readOnly}>
      {t('Read-only')}
      <span class="visually-hidden">: {readOnly}</span>
    </span>
  );
}
