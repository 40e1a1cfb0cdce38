import { useEffect } from 'preact/hooks';
import type { Goal } from '../useVirtualRows';
import { entryKey } from '../viewModel';
import { useEditing } from './editing';

/** Goes to the answer that is to be edited, where it is so far away that it is not on the page. */
export function useShowEditor(go: (goal: Goal) => void): void {
  const interaction = useEditing().editor?.interaction;
  useEffect(() => {
    if (interaction === undefined || document.querySelector('.answer-editor') !== null) return;
    go({ key: entryKey(interaction, 'response'), offset: 12 });
  }, [interaction]);
}
