import { addUnits, unitNamed } from '../../src/calendar/duration.js';
import { EARLIEST_MS, formatDate, formatInstant, LATEST_MS } from '../../src/calendar/instant.js';
import { EvaluationError } from '../../src/errors.js';
import fc from 'fast-check';
import { evaluate } from '../evaluate.js';

const anyMs = fc.integer({ min: EARLIEST_MS, max: LATEST_MS });
const anyInstant = anyMs.map(formatInstant);
const unit = fc.constantFrom('second', 'minute', 'hour', 'day', 'week', 'month', 'year', 'days', 'h', 'mo');

describe('dates', () => {
  test('year, month and day are those of UTC', () => {
    fc.assert(
      fc.property(anyMs, (ms) => {
        const date = new Date(ms);
        const expected = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
        expect(evaluate('[year(x), month(x), day(x)]', { x: formatInstant(ms) })).toEqual(expected);
        expect(evaluate('[year(x), month(x), day(x)]', { x: ms / 1000 })).toEqual(expected);
      }),
    );
  });

  test('date_format writes the parts of an ISO-8601 instant', () => {
    fc.assert(
      fc.property(anyInstant, (x) => {
        expect(evaluate("date_format(x, 'YYYY-MM-DD[T]HH:mm:ss.SSS[Z]')", { x })).toBe(x);
        expect(evaluate("format(x, 'YYYY-MM-DD')", { x })).toBe(x.slice(0, 10));
        expect(evaluate("date_format(x, 'M/D/YY H')", { x })).toBe(
          [Number(x.slice(5, 7)), Number(x.slice(8, 10)), x.slice(2, 4)].join('/') +
            ` ${Number(x.slice(11, 13))}`,
        );
      }),
    );
  });

  test('seconds with decimals are the milliseconds that are written, and further decimals are cut', () => {
    fc.assert(
      fc.property(anyMs, fc.integer({ min: 0, max: 9 }), (ms, further) => {
        const expected = new Date(ms).toISOString();
        const seconds = ms / 1000;
        const pattern = 'YYYY-MM-DD[T]HH:mm:ss.SSS[Z]';
        expect(evaluate('date_format(x, pattern)', { x: seconds, pattern })).toBe(expected);
        const longer = Number(`${Math.abs(ms) % 1e9}.${further}5e-3`);
        const cut = new Date(Math.abs(ms) % 1e9).toISOString();
        expect(evaluate('date_format(x, pattern)', { x: longer, pattern })).toBe(cut);
      }),
      { numRuns: 20_000 },
    );
    expect(evaluate("date_format(1.001, 'SSS')")).toBe('001');
  });

  test('date_format writes English names of months and days', () => {
    fc.assert(
      fc.property(anyMs, (ms) => {
        const [weekday = '', , month = ''] = new Date(ms).toUTCString().split(/,? /); // like Thu, 01 Jan 1970
        const long = String(evaluate("date_format(x, 'dddd MMMM')", { x: formatInstant(ms) }));
        expect(evaluate("date_format(x, 'ddd MMM')", { x: formatInstant(ms) })).toBe(`${weekday} ${month}`);
        expect(long).toMatch(new RegExp(`^${weekday}[a-z]*day ${month}[a-z]*$`));
      }),
    );
  });

  test('text in brackets is copied, and so is an open bracket', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('[', ']', 'Y', 'D', ' ') }), (pattern) => {
        const expected = pattern.replace(
          /\[([^\]]*)\]|YYYY|YY|DD|D/g,
          (token, literal: string | undefined) => {
            const values = new Map([
              ['YYYY', '2024'],
              ['YY', '24'],
              ['DD', '05'],
              ['D', '5'],
            ]);
            return literal ?? values.get(token) ?? token;
          },
        );
        expect(evaluate("date_format('2024-03-05', pattern)", { pattern })).toBe(expected);
      }),
    );
  });
});

describe('arithmetic', () => {
  test('date_diff is the largest number of whole units that does not pass the later date', () => {
    fc.assert(
      fc.property(anyMs, anyMs, unit, (a, b, name) => {
        const [from, to] = a < b ? [a, b] : [b, a];
        const step = unitNamed(name);
        const x = formatInstant(from);
        const y = formatInstant(to);
        const count = evaluate('date_diff(x, y, name)', { x, y, name });
        if (step === undefined || typeof count !== 'number')
          throw new Error('expected a known unit and a count');
        expect(addUnits(from, count, step)).toBeLessThanOrEqual(to);
        expect(addUnits(from, count + 1, step)).toBeGreaterThan(to);
        expect(evaluate('date_diff(y, x, name)', { x, y, name })).toBe(-count + 0);
      }),
      { numRuns: 1000 },
    );
  });

  test.each(["date_add('2024-01-31', 1, unit)", "date_diff('2024-01-31', '2024-03-31', concat(unit, ''))"])(
    '%s refuses the unit M of data, and accepts any other case of each unit',
    (source) => {
      const message = 'has no unit "M"; write mo or month for months, m or minute for minutes';
      expect(() => evaluate(source, { unit: 'M' })).toThrow(message);
      for (const name of ['m', 'MS', 'Min', 'S', 'D', 'W', 'MO', 'Mo', 'Y', 'Months', 'MINUTES'])
        expect(evaluate(source, { unit: name })).toBe(evaluate(source, { unit: name.toLowerCase() }));
    },
  );

  test('date_diff returns the units that date_add added', () => {
    const amount = fc.integer({ min: 0, max: 5000 });
    const first = fc.integer({ min: EARLIEST_MS, max: Date.UTC(3000, 0) }).map(formatInstant);
    fc.assert(
      fc.property(first, amount, unit, (x, n, name) => {
        expect(evaluate('date_diff(x, date_add(x, n, name), name)', { x, n, name })).toBe(n);
      }),
    );
  });

  test('adding whole days, weeks, months or years to a date without a time gives a date without a time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: Date.UTC(3000, 0) }).map(formatDate),
        fc.integer({ min: -100, max: 100 }),
        fc.constantFrom('day', 'week', 'month', 'year'),
        (x, n, name) => {
          expect(evaluate('date_add(x, n, name)', { x, n, name })).toMatch(/^\d{4}-\d\d-\d\d$/);
          expect(evaluate('date_add(x, 0, name)', { x, name })).toBe(x);
        },
      ),
    );
  });

  test.each([
    ["date_add('2024-01-01', '1', 'day')"],
    ["date_add('0001-01-01', -1, 'second')"],
    ["date_add('2024-01-01', 1e300, 'year')"],
    ["date_add('2024-01-31', 0.5, 'month')"],
    ["date_add('2024-01-31', -1.5, 'years')"],
    ["date_add('2024-01-01', 1, null)"],
    ["date_diff('2024-01-01', '2024-02-30')"],
    ["date_format('yesterday', 'YYYY')"],
    ['year(1e300)'],
    ['year(true)'],
    ['day(null)'],
    ['month([2024, 1, 1])'],
  ])('%s fails when it is evaluated', (source) => {
    expect(() => evaluate(source)).toThrow(EvaluationError);
  });
});
