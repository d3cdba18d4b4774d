import { restoreDatabaseNames } from './restore-database-names.js';

const ID = 'rst_01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('the names of the databases of a restore', () => {
  it('contain the id of the restore and the epoch of the attempt', () => {
    expect(restoreDatabaseNames('shop', ID, 2)).toEqual({
      prefix: '_understudy_01arz3ndektsv4rrffq69g5fav_',
      loading: 'shop_understudy_01arz3ndektsv4rrffq69g5fav_2',
      replaced: 'shop_understudy_01arz3ndektsv4rrffq69g5fav_2o',
    });
  });

  it.each(['x'.repeat(63), 'ü'.repeat(31), '😀'.repeat(15)])(
    'fit into the length of a name without a cut inside a character (%s)',
    (database) => {
      const { loading, replaced } = restoreDatabaseNames(database, ID, 99);
      for (const name of [loading, replaced]) {
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
        expect(Buffer.from(name).toString()).toBe(name);
        expect(name).toContain('_understudy_01arz3ndektsv4rrffq69g5fav_99');
      }
      expect(loading).not.toBe(replaced);
    },
  );
});
