import type { VNode } from 'preact';
import type { EmbeddedMedia } from '../../src/core/transcript/embeddedMedia';

/** A picture or sound that is in the tape. Nothing is loaded: media with only a URL are not shown here. */
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
  // biome-ignore lint/a11y/useMediaCaption: recordings have no captions.
  return <audio class="media" controls preload="metadata" src={data} aria-label={label} />;
}
