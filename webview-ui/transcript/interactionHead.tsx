import type { VNode } from 'preact';
import { Icon } from '../base/icon';
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
        <button
          type="button"
          class="button-quiet"
          aria-pressed={raw}
          title="Show the recorded JSON (r)"
          onClick={() => change({ type: 'raw', index, raw: !raw })}
        >
          <Icon name="code" />
          Raw
        </button>
        <button
          type="button"
          class="button-quiet"
          title="Open the source beside (e)"
          onClick={() => revealSource(index)}
        >
          <Icon name="go-to-file" />
          Source
        </button>
        <button type="button" class="button-quiet" title="Copy this interaction (c)" onClick={() => copy(view)}>
          <Icon name="copy" />
          Copy
        </button>
      </span>
    </header>
  );
}
