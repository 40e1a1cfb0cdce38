import type { VNode } from 'preact';
import type { Change } from '../../../src/core/model/change';
import type { MediaPart } from '../../../src/core/model/message';
import { accepts } from '../../../src/core/schema/accepts';
import { optional, shape, text } from '../../../src/core/schema/schema';
import { grouped } from '../../../src/core/text/counts';
import { t } from '../../../src/core/text/l10n';
import { listed } from '../../../src/core/text/listed';
import { embeddedMedia } from '../../../src/core/transcript/embeddedMedia';
import { Media } from '../../base/media';

const MEDIA_PART = shape({
  type: text('', { enum: ['image', 'audio', 'file'] }),
  mime: optional(text()),
  base64: optional(text()),
  url: optional(text()),
  name: optional(text()),
});

/** Whether a change has pictures or sounds that are on the tape, so that they can be shown. */
export function hasMedia({ subject, before, after }: Change): boolean {
  return subject === 'media' && [before, after].some((side) => mediaOf(side) !== undefined);
}

/** Two pictures or sounds, side by side. */
export function MediaPane({ change }: { readonly change: Change }): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
    <section class="diff media-sides" tabIndex={0} aria-label={t('{0}, before and after', change.title)}>
      <Side text={change.before} label={t('Before')} />
      <Side text={change.after} label={t('After')} />
    </section>
  );
}

function Side({ text: json, label }: { readonly text: string; readonly label: string }): VNode {
  const media = mediaOf(json);
  if (media === undefined) return <p class="quiet">{json === '' ? t('None') : json.slice(0, 200)}</p>;
  return (
    <figure>
      <Media media={media} label={label} />
      <figcaption class="quiet">{listed([media.mime, kilobytes(media.base64)])}</figcaption>
    </figure>
  );
}

function mediaOf(json: string): ReturnType<typeof embeddedMedia> {
  if (json === '') return undefined;
  try {
    const part: unknown = JSON.parse(json);
    return accepts(MEDIA_PART, part) ? embeddedMedia(part as MediaPart) : undefined;
  } catch {
    // Other content is shown as text.
    return undefined;
  }
}

function kilobytes(base64: string): string {
  return t('{0} kB', grouped(Math.max(1, Math.round((base64.length * 3) / 4 / 1000))));
}
