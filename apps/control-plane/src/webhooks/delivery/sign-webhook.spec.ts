import { createHmac } from 'node:crypto';

import fc from 'fast-check';

import { signatureHeaders, newWebhookSecret } from './sign-webhook.js';

describe('signatureHeaders', () => {
  it('matches RFC 4231, test case 2, in X-Service-Signature', () => {
    const message = { id: 'evt_1', body: 'what do ya want for nothing?', sentAt: new Date(0) };
    expect(signatureHeaders(message, ['Jefe'])['X-Service-Signature']).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  it('matches the example of Standard Webhooks', () => {
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      body: '{"test": 2432232314}',
      sentAt: new Date(1_614_265_330_000),
    };
    expect(signatureHeaders(message, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toMatchObject({
      'webhook-id': message.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('signs the bytes of the body with the whole text of the secret, including its prefix', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (body) => {
        const secret = newWebhookSecret();
        const expected = createHmac('sha256', Buffer.from(secret))
          .update(Buffer.from(body, 'utf8'))
          .digest('hex');
        const headers = signatureHeaders({ id: 'evt_1', body, sentAt: new Date() }, [secret]);
        expect(headers['X-Service-Signature']).toBe(expected);
        expect(expected).toMatch(/^[0-9a-f]{64}$/);
      }),
    );
  });

  it('signs X-Service-Signature with the newest secret, and webhook-signature with both during a rotation', () => {
    const message = { id: 'evt_1', body: '{}', sentAt: new Date() };
    const [newest, previous] = [newWebhookSecret(), newWebhookSecret()];
    const [ofNewest, ofPrevious, both] = [
      signatureHeaders(message, [newest]),
      signatureHeaders(message, [previous]),
      signatureHeaders(message, [newest, previous]),
    ];
    expect(both['X-Service-Signature']).toBe(ofNewest['X-Service-Signature']);
    expect(both['webhook-signature']).toBe(
      `${ofNewest['webhook-signature']} ${ofPrevious['webhook-signature']}`,
    );
  });
});
