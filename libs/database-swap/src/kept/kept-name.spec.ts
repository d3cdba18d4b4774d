import { KEPT_LABEL, keptName, keptPrefix } from './kept-name.js';

const JOB = 'job_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const LONG = 'customer_relationship_management_staging_';

describe('keptName', () => {
  it('contains the target and the ULID of the change', () => {
    expect(keptName('shop', JOB)).toBe('shop_replaced_01arz3ndektsv4rrffq69g5fav');
  });

  it.each(['shop', `${LONG}1`, `${LONG}2`, 'ž'.repeat(31)])(
    'has at most 63 bytes, and a label behind the prefix of %s',
    (target) => {
      for (const change of [JOB, 'cli_0123456789abcdef0123', 'job_1', 'rst_01ARZ3NDEKTSV4RRFFQ69G5FUU']) {
        const name = keptName(target, change);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
        expect(name.startsWith(keptPrefix(target))).toBe(true);
        expect(name.slice(keptPrefix(target).length)).toMatch(new RegExp(KEPT_LABEL));
      }
    },
  );

  it('differs between targets and between changes', () => {
    const names = ['shop', `${LONG}1`, `${LONG}2`].flatMap((target) =>
      [JOB, 'job_1', 'rvt_01ARZ3NDEKTSV4RRFFQ69G5FAW'].map((change) => keptName(target, change)),
    );
    expect(new Set(names).size).toBe(9);
    expect(keptPrefix(`${LONG}1`)).not.toBe(keptPrefix(`${LONG}2`));
  });
});
