import type { Seen, StepRequest } from '../step.js';

/** Returns a text in the results of earlier steps. */
export type Text = (seen: Seen) => string;

/**
 * Passes the request that the receiver got to `webhooks.verify`.
 * @param event the id of the webhook event
 * @param secret the secret of the webhook
 * @param omitted the name of a header that is left out
 * @param options more fields of the call
 */
export const verify =
  (event: Text, secret: Text, omitted = '', options: object = {}) =>
  async (seen: Seen): Promise<StepRequest> => {
    const { headers, body } = await seen.webhook(event(seen));
    const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== omitted));
    return { verify: { body: body.toString('base64'), headers: kept, secrets: [secret(seen)], ...options } };
  };
