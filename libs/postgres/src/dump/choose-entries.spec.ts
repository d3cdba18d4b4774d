import { chooseEntries, tableObjects } from './choose-entries.js';

const LINES = [
  '5; 2615 2200 SCHEMA - public postgres',
  '860; 1247 16386 TYPE public mood postgres',
  ';\tdepends on: 5',
  '215; 1259 16390 TABLE public pe ople postgres',
  ';\tdepends on: 5 860',
  '3400; 0 0 COMMENT public COLUMN "pe ople".name postgres',
  ';\tdepends on: 215',
  '216; 1259 16399 TABLE public secrets postgres',
  '3401; 0 0 COMMENT public TABLE secrets postgres',
  ';\tdepends on: 216',
  '217; 1259 16401 SEQUENCE public people_id_seq postgres',
  '3402; 0 0 SEQUENCE OWNED BY public people_id_seq postgres',
  ';\tdepends on: 217',
  '3403; 0 0 TABLE ATTACH public secrets postgres',
  ';\tdepends on: 216 215',
  '3300; 2606 16405 FK CONSTRAINT public people people_boss_fkey postgres',
  '3404; 0 16390 ROW SECURITY public pe ople postgres',
  ';\tdepends on: 215',
];

describe('chooseEntries', () => {
  it('returns only the entries of the objects, in the order of the list', () => {
    const chosen = chooseEntries(LINES, [
      { classid: '1259', oid: '16401' },
      { classid: '1259', oid: '16390' },
      { classid: '1247', oid: '16386' },
    ]);
    expect(chosen).toEqual({ creating: [1, 3, 5, 10, 11].map((i) => LINES[i]), finishing: [LINES[16]] });
  });

  it('returns a NOT NULL constraint that is not valid as a finishing entry, but not a primary key', () => {
    const lines = [
      '215; 1259 16390 TABLE public people postgres',
      '3300; 2606 16405 CONSTRAINT public people people_pkey postgres',
      ';\tdepends on: 215',
      '3301; 2606 16406 CONSTRAINT public people named postgres',
      ';\tdepends on: 215',
      '3302; 0 0 COMMENT public CONSTRAINT named ON people postgres',
      ';\tdepends on: 3301',
    ];
    const chosen = chooseEntries(lines, [
      { classid: '1259', oid: '16390' },
      { classid: '2606', oid: '16405', is_not_null: false },
      { classid: '2606', oid: '16406', is_not_null: true },
    ]);
    expect(chosen).toEqual({ creating: [lines[0], lines[1]], finishing: [lines[3], lines[5]] });
  });

  it('does not attach a partition if the dump does not contain its parent', () => {
    const lines = [
      '216; 1259 16399 TABLE public part postgres',
      '3403; 0 0 TABLE ATTACH public part postgres',
      ';\tdepends on: 216',
    ];
    expect(chooseEntries(lines, [{ classid: '1259', oid: '16399' }])).toEqual({
      creating: [lines[0]],
      finishing: [],
    });
  });

  it('attaches an index to the one of its parent, also if it depends on an extension which the target already has', () => {
    const lines = [
      '2; 3079 16400 EXTENSION - citext',
      '3456; 0 0 COMMENT - EXTENSION citext',
      ';\tdepends on: 2',
      '216; 1259 16510 TABLE public p0 postgres',
      '3301; 2606 16509 CONSTRAINT public p p_pkey postgres',
      '3303; 2606 16514 CONSTRAINT public p0 p0_pkey postgres',
      ';\tdepends on: 3301 216',
      '3304; 0 0 INDEX ATTACH public p0_pkey postgres',
      ';\tdepends on: 3301 2 2 3303 216 3301',
      '3305; 0 0 INDEX ATTACH public p0_pkey postgres',
      ';\tdepends on: 216 3303',
    ];
    const table = { classid: '1259', oid: '16510' };
    const parent = { classid: '2606', oid: '16509' };
    const partition = { classid: '2606', oid: '16514' };
    const both = chooseEntries(lines, [table, parent, partition]);
    expect(both).toEqual({ creating: [3, 4, 5].map((i) => lines[i]), finishing: [lines[7]] });
    const one = chooseEntries(lines, [table, partition]);
    expect(one).toEqual({ creating: [lines[3], lines[5]], finishing: [] });
  });

  it('returns all entries of a table dump, including privileges on columns, except statistics and the database', () => {
    const lines = [
      '3352; 1262 5 DATABASE - shop postgres',
      '3353; 0 0 COMMENT - DATABASE shop postgres',
      ';\tdepends on: 3352',
      '215; 1259 16390 TABLE public people postgres',
      '3380; 0 0 ACL public TABLE people postgres',
      ';\tdepends on: 215',
      '3381; 0 0 ACL public COLUMN people.name postgres',
      ';\tdepends on: 215 3380',
      '3300; 3381 16405 STATISTICS public people_s postgres',
      ';\tdepends on: 215',
    ];
    const chosen = chooseEntries(lines, tableObjects(lines));
    expect(chosen).toEqual({ creating: [lines[3], lines[4], lines[6]], finishing: [] });
  });
});
