import { parseValueSource } from './value-source.js';

const parse = (text: string, ...files: string[]) => parseValueSource(text, (file) => files.includes(file));

describe('where values come from', () => {
  it.each([
    ['names.txt', { kind: 'lines', file: 'names.txt' }],
    ['-', { kind: 'lines', file: '-' }],
    ['a:b.txt', { kind: 'lines', file: 'a:b.txt' }],
    ['people.csv:name', { kind: 'column', file: 'people.csv', column: 'name', delimiter: ',' }],
    [
      'C:/x/People.CSV:full name',
      { kind: 'column', file: 'C:/x/People.CSV', column: 'full name', delimiter: ',' },
    ],
    ['people.tsv:name', { kind: 'column', file: 'people.tsv', column: 'name', delimiter: '\t' }],
  ])('%s', (text, source) => {
    expect(parse(text)).toEqual(source);
  });

  it('a table needs a column', () => {
    expect(() => parse('people.csv', 'people.csv')).toThrow('say which column');
    expect(() => parse('people.csv:')).toThrow('missing behind the colon');
    expect(() => parse('people.csv')).toThrow('no such file');
    expect(() => parse('a.csv:b.csv', 'a.csv:b.csv')).toThrow('say which column');
  });
});
