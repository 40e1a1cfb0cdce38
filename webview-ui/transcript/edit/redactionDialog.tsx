import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { RedactionPlace, RedactionPlan } from '../../../src/core/secrets/planRedaction';
import { formatCount } from '../../base/numbers';

interface RedactionDialogProps {
  readonly plan: RedactionPlan;
  onClose(confirmed: boolean): void;
}

/** Asks to confirm a redaction, with every place as it will be. */
export function RedactionDialog({ plan, onClose }: RedactionDialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const confirmed = useRef(false);
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('.button')?.focus();
  }, []);
  const { placeholder, count, interactions, dependents } = plan;
  const where = interactions === 0 ? '' : ` in ${plural(interactions, 'interaction')}`;
  return (
    <dialog
      ref={dialog}
      class="dialog redaction"
      aria-labelledby="redaction-title"
      aria-describedby="redaction-description"
      onClose={() => onClose(confirmed.current)}
    >
      <header>
        <h2 id="redaction-title">{`Redact ${plural(count, 'occurrence')}${where}?`}</h2>
      </header>
      <p id="redaction-description">
        <code>{placeholder}</code>
        {` replaces the value.${dependents.length === 0 ? '' : ` Also updated: ${dependents.join(', ')}.`}`}
      </p>
      <PlaceList plan={plan} />
      <ConfirmationForm
        onConfirm={() => {
          confirmed.current = true;
        }}
        onCancel={() => dialog.current?.close()}
      />
    </dialog>
  );
}

function PlaceList({ plan: { places, count, placeholder } }: { readonly plan: RedactionPlan }): VNode | null {
  if (places.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is scrolled by the keyboard as well
    <ul class="redaction-places" tabIndex={0} aria-label="Occurrences, redacted">
      {places.map((place, index) => (
        <RedactionPlaceItem key={index} place={place} placeholder={placeholder} />
      ))}
      {count > places.length && <li class="quiet">{`and ${formatCount(count - places.length)} more`}</li>}
    </ul>
  );
}

interface ConfirmationFormProps {
  onConfirm(): void;
  onCancel(): void;
}

/** Closes the dialog that it is in, by its method. */
function ConfirmationForm({ onConfirm, onCancel }: ConfirmationFormProps): VNode {
  return (
    <form method="dialog" onSubmit={onConfirm}>
      <footer>
        <button type="submit" class="button">
          Redact
        </button>
        <button type="button" class="button-secondary" onClick={onCancel}>
          Cancel
        </button>
        <span class="quiet">
          <kbd>Enter</kbd> to redact, <kbd>Esc</kbd> to cancel. You can undo this.
        </span>
      </footer>
    </form>
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
        {where === 'packed' && <span class="quiet"> encoded or split</span>}
      </span>
    </li>
  );
}

function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
