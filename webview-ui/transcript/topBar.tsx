import type { VNode } from 'preact';
import { Icon, type IconName } from '../base/icon';
import { ReadOnlyMark } from './edit/readOnlyMark';
import { PlayingStrip } from './live/playingStrip';
import { ModeSwitch } from './modeSwitch';
import type { Mode } from './viewState';

interface TopBarProps {
  readonly name: string;
  readonly mode: Mode;
  onMode(mode: Mode): void;
  onFind(): void;
  onFilter(): void;
  onOutline(): void;
  onHelp(): void;
}

/** What stays in sight: which tape this is, and how to look at it. */
export function TopBar({ name, mode, onMode, onFind, onFilter, onOutline, onHelp }: TopBarProps): VNode {
  return (
    <header class="top-bar">
      <div class="column">
        <h1>{name === '' ? 'Unnamed tape' : name}</h1>
        <PlayingStrip />
        <ReadOnlyMark />
        <ModeSwitch mode={mode} onChange={onMode} />
        <div class="top-bar-actions">
          <BarButton icon="list-tree" label="Outline" letter="o" onClick={onOutline} />
          <BarButton icon="filter" label="Filter" letter="f" onClick={onFilter} />
          <BarButton icon="search" label="Find" letter="/" onClick={onFind} />
          <BarButton icon="question" label="Keys" letter="?" onClick={onHelp} />
        </div>
      </div>
    </header>
  );
}

interface BarButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly letter: string;
  onClick(): void;
}

function BarButton({ icon, label, letter, onClick }: BarButtonProps): VNode {
  return (
    <button type="button" class="button-quiet" aria-label={label} title={`${label} (${letter})`} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
