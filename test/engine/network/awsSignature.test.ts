import assert from 'node:assert/strict';
import { type OutgoingRequest, signedAnew, signedRegion } from '../../../src/engine/network/awsSignature';

const KEY_ID = 'AKIDEXAMPLE';
const KEYS = { AWS_ACCESS_KEY_ID: KEY_ID, AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const SIGNED = 'content-type;host;x-amz-date';

/** A request to Bedrock, signed for another address; the body is `{}`. */
function requestTo(address: string, signed = SIGNED): OutgoingRequest {
  const target = new URL(address);
  const credential = `${KEY_ID}/20150830/eu-west-1/bedrock/aws4_request`;
  return {
    method: 'POST',
    target,
    headers: [
      ...['Content-Type', 'application/json', 'X-Amz-Date', '20150830T123600Z', 'host', target.host],
      ...['Authorization', `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${signed}, Signature=0bad`],
    ],
    body: Buffer.from('{}'),
  };
}

const signatureOf = (headers: readonly string[]): string | undefined => /Signature=(\w+)/.exec(headers.join('\n'))?.[1];

describe('signedAnew', () => {
  const address = 'https://models.example:8443/model/anthropic.claude-3%3A0/converse?b=2&a=x%20y';

  /** What botocore 1.44 makes of the same requests. */
  it('signs a request for the address that it is sent to', () => {
    assert.equal(
      signatureOf(signedAnew(requestTo(address), KEYS)),
      'dd637436e281f756b10fa3c8dd339cfd5ff367afc64ee8b423098085ea7ea8f2',
    );
    const own = requestTo('https://bedrock-runtime.eu-west-1.amazonaws.com/model/m/converse');
    assert.equal(
      signatureOf(signedAnew(own, KEYS)),
      'd610cb7df5b82f33cafcec0672a2744e25ce3d6d7af21736bd2bf83655a10314',
    );
  });

  it('keeps a signature that was made with a key of another place', () => {
    for (const environment of [{}, { ...KEYS, AWS_ACCESS_KEY_ID: 'AKIDOTHER' }, { ...KEYS, AWS_SECRET_ACCESS_KEY: '' }])
      assert.equal(signatureOf(signedAnew(requestTo(address), environment)), '0bad');
    const bearer = {
      ...requestTo(address),
      headers: ['authorization', 'Bearer abc', 'x-amz-date', '20150830T123600Z'],
    };
    assert.deepEqual(signedAnew(bearer, KEYS), bearer.headers);
  });

  it('tells the region of a signature', () => {
    assert.equal(signedRegion(requestTo(address).headers.at(-1)), 'eu-west-1');
    assert.equal(signedRegion('Bearer abc'), undefined);
  });
});
