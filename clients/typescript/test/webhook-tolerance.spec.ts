import { verifyWebhook } from '../src/index.js';

const SIGNATURE = `v1,${Buffer.alloc(32).toString('base64')}`;
const HEADERS = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': SIGNATURE };
const SECRET = 'whsec_c2VjcmV0';

/** A comparison with NaN is always false, so a request of any age would be accepted. */
describe('a tolerance that is no number of seconds', () => {
  test.each([NaN, Infinity, -1, '300', 'ten'])('is refused: %p', async (tolerance) => {
    const options = { tolerance: tolerance as number };
    await expect(verifyWebhook('{}', HEADERS, SECRET, options)).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringContaining('tolerance') as string,
    });
  });

  test('is refused before the signature is compared, and 0 is accepted', async () => {
    await expect(verifyWebhook('{}', HEADERS, SECRET, { tolerance: 0 })).rejects.toMatchObject({
      reason: 'wrong_signature',
    });
  });
});
