import { createHmac, timingSafeEqual } from 'node:crypto';

/** The texts of a ledger's row that an agent acts on: SQL that it runs, or the result that it reports. */
export type SealedTexts =
  | {
      readonly state: 'staging';
      readonly fingerprint: string;
      readonly plan: string;
      readonly lateSql: string;
      readonly finishSql: string;
      readonly swapSql: string;
      readonly warnings: string;
    }
  | { readonly state: 'switched'; readonly outcome: string };

/** Proves that a holder of the masking key wrote the texts, and for which job. @returns lower-case hex */
export function sealLedger(maskingKey: Uint8Array, jobId: string, texts: SealedTexts): string {
  const sealed =
    texts.state === 'switched'
      ? [texts.outcome]
      : [texts.fingerprint, texts.plan, texts.lateSql, texts.finishSql, texts.swapSql, texts.warnings];
  return createHmac('sha256', maskingKey)
    .update(JSON.stringify(['understudy ledger', jobId, texts.state, ...sealed]))
    .digest('hex');
}

export function isSealed(maskingKey: Uint8Array, jobId: string, texts: SealedTexts, seal: string): boolean {
  const expected = Buffer.from(sealLedger(maskingKey, jobId, texts));
  const given = Buffer.from(seal);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
