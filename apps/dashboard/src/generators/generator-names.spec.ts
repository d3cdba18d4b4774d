import {
  firstSentence,
  generatorId,
  nextVersion,
  readFromSearch,
  readVersionSearch,
  shortName,
  splitName,
} from './generator-names.js';

describe('the names of generators', () => {
  it('are short in the address of a built-in one', () => {
    expect(shortName('@svc/core:logic.int_between')).toBe('int_between');
    expect(shortName('@svc/core:list')).toBe('list');
  });

  it('are divided in the address of a registered one, and joined for the API', () => {
    const parts = splitName('@acme/people:greeting');
    expect(parts).toEqual({ namespace: 'acme', name: 'people:greeting' });
    expect(generatorId(parts)).toBe('@acme/people:greeting');
    expect(generatorId(parts, '1.0.0')).toBe('@acme/people:greeting@1.0.0');
  });

  it('are read from an address only in their form', () => {
    expect(readFromSearch({ from: '@acme/people:greeting@1.0.0' })).toEqual({
      from: '@acme/people:greeting@1.0.0',
    });
    expect(readFromSearch({ from: '../tokens' })).toEqual({});
    expect(readVersionSearch({ version: '1.0.0-rc.1' })).toEqual({ version: '1.0.0-rc.1' });
    expect(readVersionSearch({ version: '1/2' })).toEqual({});
  });
});

describe('firstSentence', () => {
  it('ends with its full stop, and has no marks of Markdown', () => {
    expect(firstSentence('A number of `n` digits, for example 0.5. Others follow.')).toBe(
      'A number of n digits, for example 0.5.',
    );
    expect(firstSentence('Only one.')).toBe('Only one.');
  });
});

describe('nextVersion', () => {
  it('increases the last number of a plain version', () => {
    expect(nextVersion('1.0.9')).toBe('1.0.10');
    expect(nextVersion('1.0.0-rc.1')).toBe('1.0.0-rc.1');
  });
});
