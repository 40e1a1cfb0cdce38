import type { VNode } from 'preact';
import { Icon, type IconName } from '../base/icon';
import { useActions } from './actions';
import { usageText } from './facts';
import type { InteractionView } from './viewModel';

/** "#3 · model · tokens", and what can be done with the interaction. */
export function InteractionHead({ view, raw }: { readonly view: InteractionView; readonly raw: boolean }): VNode {
  const { change, revealSource, copy } = useActions();
  const { index, model, usage } = view;
  return (
    <header class="interaction-head">
      <h2>
        <span class="visually-hidden">Interaction </span>
        <span class="number" aria-hidden="true">
          #
        </span>
        {index + 1}
      </h2>
      {model !== undefined && <span class="model">{model}</span>}
      {usage !== undefined && (
        <span class="badge" title={`${usage.totalTokens.toLocaleString('en-US')} tokens in all`}>
          {usageText(usage)}
        </span>
      )}
      <span class="actions">
        <HeadButton
          icon="code"
          label="Show the recorded JSON"
          letter="r"
          pressed={raw}
          onClick={() => change({ type: 'raw', index, raw: !raw })}
        />
        <HeadButton icon="go-to-file" label="Open the source beside" letter="e" onClick={() => revealSource(index)} />
        <HeadButton icon="copy" label="Copy this interaction" letter="c" onClick={() => copy(view)} />
      </span>
    </header>
  );
}

interface HeadButtonProps {
  readonly icon: IconName;
  readonly label: string;
  /** The key that does the same. */
  readonly letter: string;
  readonly pressed?: boolean;
  onClick(): void;
}

function HeadButton({ icon, label, letter, pressed, onClick }: HeadButtonProps): VNode {
  return (
    <button
      type="button"
      class="button-quiet"
      aria-label={label}
      aria-pressed={pressed}
      title={`${label} (${letter})`}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
