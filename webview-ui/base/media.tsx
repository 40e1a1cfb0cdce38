import type { VNode } from 'preact';
import type { EmbeddedMedia } from '../../src/core/transcript/embeddedMedia';

/** A picture or a sound from the tape itself. Nothing is loaded: what has only an address is told by that. */
export function Media({
  media,
  label,
}: {
  readonly media: EmbeddedMedia | undefined;
  readonly label: string;
}): VNode | null {
  if (media === undefined) return null;
  const data = `data:${media.mime};base64,${media.base64.replace(/\s+/g, '')}`;
  if (media.type === 'image') return <img class="media" src={data} alt={label} />;
  // biome-ignore lint/a11y/useMediaCaption: what was recorded has none.
  return <audio class="media" controls preload="metadata" src={data} aria-label={label} />;
}
