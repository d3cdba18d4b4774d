import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The texts of a ledger row that an agent must be able to trust. Before the switch, they include SQL that the agent
 * runs. After the switch, they are the result that the agent reports.
 */
export type SealedTexts =
  | {
      readonly state: 'staging';
      readonly fingerprint: string;
      readonly plan: string;
      readonly deferredSql: string;
      readonly postDataSql: string;
      readonly swapSql: string;
      readonly warnings: string;
    }
  | { readonly state: 'switched'; readonly outcome: string };

/**
 * Computes an HMAC with the masking key, which proves that an agent with this key wrote the texts for this job.
 * @returns the HMAC in lower-case hex
 */
export function sealLedger(maskingKey: Uint8Array, jobId: string, texts: SealedTexts): string {
  const sealed =
    texts.state === 'switched'
      ? [texts.outcome]
      : [texts.fingerprint, texts.plan, texts.deferredSql, texts.postDataSql, texts.swapSql, texts.warnings];
  return createHmac('sha256', maskingKey)
    .update(JSON.stringify(['understudy ledger', jobId, texts.state, ...sealed]))
    .digest('hex');
}

export function isSealed(maskingKey: Uint8Array, jobId: string, texts: SealedTexts, seal: string): boolean {
  const expected = Buffer.from(sealLedger(maskingKey, jobId, texts));
  const given = Buffer.from(seal);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
