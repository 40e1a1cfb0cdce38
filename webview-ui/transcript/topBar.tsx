import type { VNode } from 'preact';
import { Icon } from '../base/icon';
import { ReadOnlyMark } from './edit/readOnlyMark';
import { ModeSwitch } from './modeSwitch';
import type { Mode } from './viewState';

interface TopBarProps {
  readonly name: string;
  readonly mode: Mode;
  onMode(mode: Mode): void;
  onFind(): void;
  onHelp(): void;
}

/** What stays in sight: which tape this is, and how to look at it. */
export function TopBar({ name, mode, onMode, onFind, onHelp }: TopBarProps): VNode {
  return (
    <div class="top-bar">
      <div class="column">
        <h1>{name === '' ? 'Unnamed tape' : name}</h1>
        <ReadOnlyMark />
        <ModeSwitch mode={mode} onChange={onMode} />
        <div class="top-bar-actions">
          <button type="button" class="button-quiet" aria-label="Find" title="Find (/)" onClick={onFind}>
            <Icon name="search" />
          </button>
          <button type="button" class="button-quiet" aria-label="Keys" title="Keys (?)" onClick={onHelp}>
            <Icon name="question" />
          </button>
        </div>
      </div>
    </div>
  );
}
