import { IsString, ValidateNested } from 'class-validator';

import { Nested, readDto } from './read-dto.js';
import { IsIntegerBetween, Optional, expected } from './field-validators.js';

class Item {
  @IsString(expected('a string'))
  label: string;
}

class Thing {
  @IsIntegerBetween(1, 10)
  count: number;

  @Optional()
  @ValidateNested({ each: true })
  @Nested(() => Item)
  items?: Item[];
}

const read = (value: unknown) => readDto(Thing, value, { root: 'body' });
const problemsOf = (text: string) => {
  const result = read(JSON.parse(text));
  return 'problems' in result ? result.problems : [];
};

describe('readDto', () => {
  it('creates instances, also of nested DTOs', () => {
    const result = read({ count: 3, items: [{ label: 'a' }] });
    expect(result).toEqual({ dto: expect.any(Thing) });
    expect('dto' in result && result.dto.items?.[0]).toBeInstanceOf(Item);
  });

  it.each(['unknown', '__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'refuses the field %s',
    (field) => {
      expect(problemsOf(`{"count":1,"${field}":1}`)).toEqual([{ field, message: 'is not a known field' }]);
    },
  );

  it('writes paths through arrays and reports all problems', () => {
    expect(problemsOf('{"count":"3","items":[{"label":"a"},{"label":5,"extra":1}]}')).toEqual([
      { field: 'items[1].extra', message: 'is not a known field' },
      { field: 'count', message: 'expected an integer from 1 to 10, got a string of 1 characters' },
      { field: 'items[1].label', message: 'expected a string, got the number 5' },
    ]);
  });

  it.each(['null', '7', '[]', '[{"label":"a"}]', '[[1]]'])('refuses the item %s', (text) => {
    expect(problemsOf(`{"count":1,"items":[{"label":"a"},${text}]}`)).toMatchObject([{ field: 'items[1]' }]);
  });

  it.each([
    ['null', 'null'],
    ['[]', 'an array of 0'],
    ['"x"', 'a string of 1 characters'],
  ])('refuses the body %s', (text, kind) => {
    expect(problemsOf(text)).toEqual([{ field: 'body', message: `expected an object, got ${kind}` }]);
  });

  it('accepts null as a value and does not treat it as a missing field', () => {
    expect(problemsOf('{"count":null}')).toEqual([
      { field: 'count', message: 'expected an integer from 1 to 10, got null' },
    ]);
  });
});
