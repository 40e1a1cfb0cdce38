import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { RedactionPlace, RedactionPlan } from '../../../src/core/secrets/planRedaction';
import { formatCount } from '../../base/numbers';

interface RedactionDialogProps {
  readonly plan: RedactionPlan;
  onClose(confirmed: boolean): void;
}

/** Shows where a value stands, with its placeholder in its place already, before anything is changed. */
export function RedactionDialog({ plan, onClose }: RedactionDialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const confirmed = useRef(false);
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('.button')?.focus();
  }, []);
  const { placeholder, count, places, interactions, dependents } = plan;
  const where = interactions === 0 ? '' : ` in ${plural(interactions, 'interaction')}`;
  return (
    <dialog
      ref={dialog}
      class="dialog redaction"
      aria-labelledby="redaction-title"
      aria-describedby="redaction-what"
      onClose={() => onClose(confirmed.current)}
    >
      <header>
        <h2 id="redaction-title">{`Redact ${plural(count, 'place')}${where}?`}</h2>
      </header>
      <p id="redaction-what">
        <code>{placeholder}</code>
        {` takes the place of the value${dependents.length === 0 ? '.' : `. What follows it: ${dependents.join(', ')}.`}`}
      </p>
      {places.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is scrolled by the keyboard as well
        <ul class="redaction-places" tabIndex={0} aria-label="The places, with the placeholder">
          {places.map((place, index) => (
            <RedactionPlaceItem key={index} place={place} placeholder={placeholder} />
          ))}
          {count > places.length && <li class="quiet">{`and ${formatCount(count - places.length)} more`}</li>}
        </ul>
      )}
      <form
        method="dialog"
        onSubmit={() => {
          confirmed.current = true;
        }}
      >
        <footer>
          <button type="submit" class="button">
            Redact
          </button>
          <button type="button" class="button-secondary" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <span class="quiet">
            <kbd>Enter</kbd> redacts, <kbd>Esc</kbd> cancels. It can be undone.
          </span>
        </footer>
      </form>
    </dialog>
  );
}

function RedactionPlaceItem({
  place: { interaction, where, before, after },
  placeholder,
}: {
  readonly place: RedactionPlace;
  readonly placeholder: string;
}): VNode {
  return (
    <li>
      <span class="number">{interaction === null ? 'File' : `#${interaction + 1}`}</span>
      <span>
        <code>
          {before}
          <mark>{placeholder}</mark>
          {after}
        </code>
        {where === 'packed' && <span class="quiet"> packed, or in pieces</span>}
      </span>
    </li>
  );
}

function plural(count: number, what: string): string {
  return `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`;
}
