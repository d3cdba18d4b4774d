import { compileExpression, EvaluationError } from '../index.js';
import { RandomStream, rootKey } from '@understudy/random';

const random = new RandomStream();
const draws = { stream: () => random.seek(rootKey('functions', 1), 5) };

function value(source: string): unknown {
  return compileExpression(source, new Map()).evaluate([], draws);
}

describe('the function table', () => {
  it.each<[string, unknown]>([
    ["lowercase('ÀB')", 'àb'],
    ["uppercase('straße')", 'STRASSE'],
    ["capitalize('ada lovelace')", 'Ada lovelace'],
    ["title('mary-ann o’neil SMITH')", 'Mary-Ann O’Neil Smith'],
    [
      "title(\"o'neil's d’angelo l'oréal it’s don't tim o'clock\")",
      "O'Neil's D’Angelo L'Oréal It’s Don't Tim O'Clock",
    ],
    [
      "title('MCDONALD mcclain mcintyre macdonald macys machine mc')",
      'McDonald McClain McIntyre Macdonald Macys Machine Mc',
    ],
    ["trim('  x ')", 'x'],
    ["slug(' Crème Brûlée & Łódź! ')", 'creme-brulee-lodz'],
    ["ascii('Straße Øre 東京 “q” ☃ €5')", 'Strasse Ore DongJing "q"  5'],
    ["ascii('Щукина Ольга, Αθήνα, 김철수, محمد')", "Shchukina Ol'ga, Athina, GimCheolSu, mhmd"],
    ["slug('Ольга Объедкова')", 'olga-obedkova'],
    ["ascii('Zoe\u0308 \u0130zmir')", 'Zoe Izmir'],
    ["slug('Ь 𒀀 𒀀東')", 'u42c-u12000-dong'],
    ["slug('☃ …!')", ''],
    ["length('a😀é')", 3],
    ['length([1, 2])', 2],
    ["substring('a😀cd', 1, 3)", '😀c'],
    ["substring('abc', 1)", 'bc'],
    ["substring('abc', 2, 1)", ''],
    ["replace('a.b.c', '.', '-')", 'a-b-c'],
    ["replace('abc', '', '-')", 'abc'],
    ["concat('a', 1, null, true)", 'a1true'],
    ["split('a,b', ',')", ['a', 'b']],
    ["split('a😀b', '')", ['a', '😀', 'b']],
    ["split('😀', '')", ['😀']],
    ["split('', '')", []],
    ["join(split('👩‍👧é', ''), '')", '👩‍👧é'],
    ["join([1, 'b'], ' ')", '1 b'],
    ["join(['a', 'b'])", 'a,b'],
    ["pad_start(7, 3, '0')", '007'],
    ["pad_end('ab', 5, 'xy')", 'abxyx'],
    ["pad_start('abcd', 3)", 'abcd'],
    ["contains('abc', 'bc')", true],
    ['contains([1, 2], 2)', true],
    ["starts_with('abc', 'ab')", true],
    ["ends_with('abc', 'ab')", false],
    ['round(2.5)', 3],
    ['round(-2.5)', -3],
    ['round(1.005, 2)', 1], // the double nearest to 1.005 is below it
    ['round(1234.5678, 2)', 1234.57],
    ['round(-0.1)', 0],
    ['floor(-1.5)', -2],
    ['ceil(1.2)', 2],
    ['abs(-3)', 3],
    ['min(3, 1, 2)', 1],
    ['max([3, 9, 2])', 9],
    ['sum([])', 0],
    ['sum(1, 2)', 3],
    ["format(1234567.891, 'number')", '1,234,567.891'],
    ["format(999, 'number')", '999'],
    ["format(-1234, 'number')", '-1,234'],
    ["format(1234.5, 'currency')", '$1,234.50'],
    ["format(-1234.5, 'currency', '€')", '-€1,234.50'],
    ["format(0.125, 'percent')", '12.5%'],
    ["format('2024-03-05', 'DD.MM.YYYY')", '05.03.2024'],
    [
      "date_format('2024-03-05T07:08:09.010Z', 'dddd D MMMM YY, HH:mm:ss.SSS [at] H')",
      'Tuesday 5 March 24, 07:08:09.010 at 7',
    ],
    ["date_add('2024-01-31', 1, 'month')", '2024-02-29'],
    ["date_add('2024-02-29', -1, 'years')", '2023-02-28'],
    ["date_add('2024-02-28', 2, 'days')", '2024-03-01'],
    ["date_add('2024-01-01T00:00:00Z', 90, 'minutes')", '2024-01-01T01:30:00.000Z'],
    ["date_diff('2024-01-01', '2024-03-01')", 60],
    ["date_diff('2024-01-31', '2024-02-29', 'month')", 1],
    ["date_diff('2024-03-01', '2020-03-01', 'year')", -4],
    ["year('2024-03-05')", 2024],
    ["month('2024-03-05')", 3],
    ["day('2024-03-05T23:00:00-02:00')", 6],
    ["if(1 > 2, 'a', 'b')", 'b'],
    ["if(false, 'a')", null],
    ['if(true, 1, 1 / 0)', 1],
    ["coalesce(null, 'x', 1 / 0)", 'x'],
    ['first([])', null],
    ["last('abc')", 'c'],
    ['at([1, 2, 3], -1)', 3],
    ['at([1], 5)', null],
  ])('%s', (source, expected) => {
    expect(value(source)).toEqual(expected);
  });

  it.each([
    ["floor('1')"],
    ["date_add('2024-13-01', 1, 'day')"],
    ["date_add('2024-01-01', 1, 'fortnight')"],
    ["date_add('9999-12-31', 1, 'day')"],
    ["format(1, 'roman')"],
    ['min([])'],
    ['pick([])'],
    ['join(5)'],
    ['round(1, 99)'],
    ['sum(1, null)'],
  ])('%s fails when it is evaluated', (source) => {
    expect(() => value(source)).toThrow(EvaluationError);
  });

  it('pick returns one of its arguments or of the elements of its array', () => {
    expect(['a', 'b', 'c']).toContain(value("pick('a', 'b', 'c')"));
    expect(['a', 'b', 'c']).toContain(value("pick(['a', 'b', 'c'])"));
  });
});
