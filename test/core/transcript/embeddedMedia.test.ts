import * as assert from 'node:assert/strict';
import { embeddedMedia, pcmAsWav } from '../../../src/core/transcript/embeddedMedia';

describe('media on a tape', () => {
  it('is shown by its type, or by how it begins where it has none', () => {
    assert.equal(embeddedMedia({ type: 'image', mime: 'image/PNG; q=1', base64: 'AAAA' })?.mime, 'image/png');
    assert.equal(embeddedMedia({ type: 'audio', mime: 'audio/*', base64: 'UklGRgAA' })?.mime, 'audio/wav');
    assert.equal(embeddedMedia({ type: 'image', base64: '/9j/4AAQ' })?.mime, 'image/jpeg');
  });

  it('is not shown where it could run something, or is somewhere else', () => {
    assert.equal(embeddedMedia({ type: 'image', mime: 'image/svg+xml', base64: 'AAAA' }), undefined);
    assert.equal(embeddedMedia({ type: 'file', mime: 'image/png', base64: 'AAAA' }), undefined);
    assert.equal(embeddedMedia({ type: 'image', mime: 'image/png', url: 'https://a.example/x.png' }), undefined);
    assert.equal(embeddedMedia({ type: 'audio', mime: 'audio/*', base64: 'AwADAA' }), undefined);
  });

  it('is played as WAV where it is raw samples', () => {
    const samples = Buffer.from([1, 0, 2, 0, 3, 0, 4, 0]).toString('base64');
    const wav = Buffer.from(pcmAsWav(samples, 16_000), 'base64');
    assert.equal(wav.toString('latin1', 0, 4), 'RIFF');
    assert.equal(wav.readUInt32LE(4), wav.length - 8);
    assert.equal(wav.readUInt32LE(24), 16_000);
    assert.deepEqual([wav.readUInt32LE(44), ...wav.subarray(48)], [8, 1, 0, 2, 0, 3, 0, 4, 0]);
    assert.equal(embeddedMedia({ type: 'audio', mime: 'audio/pcm;rate=16000', base64: samples })?.mime, 'audio/wav');
  });
});
