import { parseValueSource } from './value-source.js';

const parse = (text: string, ...files: string[]) => parseValueSource(text, (file) => files.includes(file));

describe('parseValueSource', () => {
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
  ])('reads %s as %j', (text, source) => {
    expect(parse(text)).toEqual(source);
  });

  it('rejects a table without a column', () => {
    expect(() => parse('people.csv', 'people.csv')).toThrow('name a column, as in people.csv:name');
    expect(() => parse('people.csv:')).toThrow('expected the name of a column after the colon');
    expect(() => parse('people.csv')).toThrow('no such file');
    expect(() => parse('a.csv:b.csv', 'a.csv:b.csv')).toThrow('name a column, as in a.csv:b.csv:name');
  });
});
