import { isSealed, type SealedTexts, sealLedger } from './ledger-seal.js';

const KEY = new Uint8Array(32).fill(1);
const STAGING: SealedTexts & { readonly state: 'staging' } = {
  state: 'staging',
  fingerprint: 'f',
  plan: 'p',
  deferredSql: 'd',
  postDataSql: 'i',
  swapSql: 's',
  warnings: 'w',
};
const SWITCHED: SealedTexts = { state: 'switched', outcome: 'o' };

describe('the seal of a ledger row', () => {
  const seals = [STAGING, SWITCHED].map((texts) => sealLedger(KEY, 'job_1', texts));
  const isValid = (texts: SealedTexts, key = KEY, jobId = 'job_1') =>
    seals.some((seal) => isSealed(key, jobId, texts, seal));

  it('is valid for the texts, the job and the key with which it was made', () => {
    expect([STAGING, SWITCHED].map((texts) => isValid(texts))).toEqual([true, true]);
  });

  it('is not valid after any of the texts has changed, or if two of them are exchanged', () => {
    const changed = Object.keys(STAGING).flatMap((name) =>
      name === 'state' ? [] : [{ ...STAGING, [name]: 'x' } as SealedTexts],
    );
    const others = [
      ...changed,
      { ...STAGING, deferredSql: 's', swapSql: 'd' },
      { ...SWITCHED, outcome: 'x' },
    ];
    expect(others.filter((texts) => isValid(texts))).toEqual([]);
    expect(others).toHaveLength(8);
  });

  it('is not valid for another job or with another key', () => {
    expect(isValid(STAGING, KEY, 'job_2')).toBe(false);
    expect(isValid(STAGING, new Uint8Array(32).fill(2))).toBe(false);
  });
});
