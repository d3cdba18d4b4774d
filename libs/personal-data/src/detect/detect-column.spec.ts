import fc from 'fast-check';
import { KINDS } from '../kind.js';
import { WordLists } from '../values/word-lists.js';
import { detectColumn } from './detect-column.js';
import { reasonOf } from './detection.js';

const LISTS = new WordLists(
  new Map([
    ['en_US', { first_names: ['Anna', 'John', 'Maria'], last_names: ['Smith', 'Berg'], cities: ['Boston'] }],
  ]),
);
const detect = (table: string, column: string, type: string, values: readonly string[] = []) =>
  detectColumn({ table, column, type, values }, LISTS);

describe('detectColumn', () => {
  it('trusts the name of a column unless its values contradict the name', () => {
    expect(detect('users', 'email', 'text')?.kind).toBe('email');
    expect(detect('users', 'email', 'text', ['a@b.example', 'c@d.example', ''])?.kind).toBe('email');
    expect(detect('users', 'email', 'text', ['daily', 'weekly', 'never'])).toBeUndefined();
    expect(detect('users', 'phone', 'bool')).toBeUndefined();
  });

  it('detects the kind from the values if the name contains no clue', () => {
    expect(detect('t', 'c', 'text', ['a@b.example', 'c@d.example'])?.kind).toBe('email');
    expect(detect('t', 'version', 'text', ['61.2.3.4', '93.0.0.1', '70.0.0.1', '80.4.4.4'])).toBeUndefined();
    expect(detect('t', 'c', 'text', ['1.2.3.4', '2.0.0.1', '1.9.9.9', '3.1.4.1'])).toBeUndefined();
    expect(detect('t', 'c', 'inet')?.kind).toBe('ip_address');
  });

  it('detects special categories from names and unambiguous words, but not in tables about things', () => {
    expect(detect('staff', 'geschlecht', 'bpchar', ['m', 'w', 'd'])?.kind).toBe('gender');
    expect(detect('staff', 'x', 'text', ['male', 'female', 'female', 'male'])?.kind).toBe('gender');
    expect(detect('staff', 'x', 'text', ['single', 'single', 'single', 'single'])).toBeUndefined();
    expect(detect('products', 'gender', 'text', ['men', 'women', 'men'])).toBeUndefined();
    expect(detect('income_statement', 'income', 'numeric', ['1', '2', '3'])).toBeUndefined();
    expect(detect('patients', 'diagnosis', 'text', ['Asthma', 'Migraine', 'Gout'])?.kind).toBe('health');
  });

  it('gives a reason that contains no value', () => {
    const found = detect('users', 'email', 'text', ['canary@b.example', 'x', 'c@d.example', 'e@f.example']);
    if (found === undefined) throw new Error('expected an e-mail column to be detected');
    expect(reasonOf(found)).toBe('its name, and 75 % of 4 sampled values look like e-mail addresses');
  });

  it('returns a known kind or undefined for any name, type and values', () => {
    const words = fc.constantFrom(
      'email',
      'name',
      'phone',
      'iban',
      'notes',
      'is',
      'id',
      'x',
      'photo',
      'birth',
      '名',
      '_',
      '9',
    );
    const name = fc.array(words, { maxLength: 5 }).map((parts) => parts.join('_'));
    const type = fc.constantFrom(
      'text',
      'int8',
      'numeric',
      'date',
      'inet',
      'bytea',
      'point',
      'uuid',
      'json',
      'mood',
    );
    const hostile = fc.constantFrom(
      '1'.repeat(5_000),
      ' '.repeat(5_000),
      'a@'.repeat(2_000),
      '+1 (2'.repeat(900),
      '1.'.repeat(900),
      '-'.repeat(900),
    );
    const values = fc.array(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), hostile), { maxLength: 20 });
    fc.assert(
      fc.property(name, name, type, values, (table, column, sqlType, texts) => {
        const found = detectColumn({ table, column, type: sqlType, values: texts }, LISTS);
        if (found !== undefined) expect(KINDS).toContain(found.kind);
      }),
    );
  });
});
