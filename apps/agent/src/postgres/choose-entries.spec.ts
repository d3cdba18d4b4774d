import { chooseEntries } from './choose-entries.js';

const LINES = [
  '5; 2615 2200 SCHEMA - public postgres',
  '860; 1247 16386 TYPE public mood postgres',
  '215; 1259 16390 TABLE public people postgres',
  '3400; 0 0 COMMENT public COLUMN people.name postgres',
  '216; 1259 16399 TABLE public secrets postgres',
  '3401; 0 0 COMMENT public TABLE secrets postgres',
  '217; 1259 16401 SEQUENCE public people_id_seq postgres',
  '3402; 0 0 SEQUENCE OWNED BY public people_id_seq postgres',
  '3300; 2606 16405 FK CONSTRAINT public people people_boss_fkey postgres',
];

describe('chooseEntries', () => {
  it('keeps what belongs to the objects, in the order of the list, and nothing else', () => {
    const chosen = chooseEntries(LINES, [
      { classid: '1259', oid: '16401', relation: { schema: 'public', name: 'people_id_seq', kind: 'S' } },
      { classid: '1259', oid: '16390', relation: { schema: 'public', name: 'people', kind: 'r' } },
      { classid: '1247', oid: '16386' },
    ]);
    expect(chosen).toEqual([1, 2, 3, 6, 7].map((i) => LINES[i]));
  });
});
