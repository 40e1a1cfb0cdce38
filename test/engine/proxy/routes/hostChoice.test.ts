import assert from 'node:assert/strict';
import { isRecordedHost, recordsTelemetry } from '../../../../src/engine/proxy/routes/hostChoice';

describe('the hosts that a project records', () => {
  it('are all, those that it names, and never those that it ignores', () => {
    assert.equal(isRecordedHost('api.example', { ignore: [] }), true);
    assert.equal(isRecordedHost('api.example', { ignore: ['*.example'] }), false);
    assert.equal(isRecordedHost('api.example', { record: ['other.example'], ignore: [] }), false);
    assert.equal(isRecordedHost('API.example', { record: ['*.example'], ignore: [] }), true);
    assert.equal(isRecordedHost('api.example', { record: [], ignore: [] }), false);
    // A path names telemetry, and leaves the other hosts as they are.
    assert.equal(isRecordedHost('api.example', { record: ['api.openai.com/v1/traces'], ignore: [] }), true);
    assert.equal(isRecordedHost('api.example', { record: ['*', 'us.i.posthog.com'], ignore: [] }), true);
  });

  it('include telemetry that it names, on hosts of other things by its path', () => {
    const records = (url: string, ...record: readonly string[]) =>
      recordsTelemetry(new URL(url), { record, ignore: [] });
    assert.equal(records('https://us.i.posthog.com/batch/'), false);
    assert.equal(records('https://us.i.posthog.com/batch/', '*'), false);
    assert.equal(records('https://us.i.posthog.com/batch/', 'us.i.posthog.com'), true);
    assert.equal(records('https://us.i.posthog.com/batch/', '*.posthog.com'), true);
    assert.equal(records('https://api.openai.com/v1/traces/ingest', 'api.openai.com'), false);
    assert.equal(records('https://api.openai.com/v1/traces/ingest', 'api.openai.com/v1/traces/ingest'), true);
    assert.equal(records('https://api.openai.com/v1/traces/ingest', 'api.openai.com/v1/files'), false);
  });
});
