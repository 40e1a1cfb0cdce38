import type { VNode } from 'preact';
import { Icon, type IconName } from '../base/icon';
import { type Command, keyNames } from './commands';
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
          <BarButton icon="list-tree" command="outline" label="Outline" onClick={onOutline} />
          <BarButton icon="filter" command="filter" label="Filter" onClick={onFilter} />
          <BarButton icon="search" command="find" label="Find" onClick={onFind} />
          <BarButton icon="question" command="help" label="Keys" onClick={onHelp} />
        </div>
      </div>
    </header>
  );
}

interface BarButtonProps {
  readonly icon: IconName;
  readonly label: string;
  /** What does the same by a key. */
  readonly command: Command;
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
