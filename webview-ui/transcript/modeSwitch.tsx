import type { VNode } from 'preact';
import { MODES, type Mode } from './viewState';

const TITLES: Readonly<Record<Mode, string>> = {
  summary: 'Without instructions and tool details (1)',
  normal: 'Long texts folded (2)',
  verbose: 'Everything open (3)',
};

interface ModeSwitchProps {
  readonly mode: Mode;
  onChange(mode: Mode): void;
}

/** How much of the tape is shown. */
export function ModeSwitch({ mode, onChange }: ModeSwitchProps): VNode {
  return (
    <fieldset class="mode-switch">
      <legend class="visually-hidden">View</legend>
      {MODES.map((option) => (
        <label key={option} title={TITLES[option]}>
          <input type="radio" name="mode" checked={option === mode} onChange={() => onChange(option)} />
          <span>{`${option.slice(0, 1).toUpperCase()}${option.slice(1)}`}</span>
        </label>
      ))}
    </fieldset>
  );
}
