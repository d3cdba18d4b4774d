import { negotiateFormat } from './answer-format.js';

describe('the format of an answer', () => {
  it.each([
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['text/csv', 'csv'],
    ['Text/CSV; header=present', 'csv'],
    ['text/*', 'csv'],
    ['application/*', 'json'],
    ['application/x-ndjson', 'ndjson'],
    ['application/json, text/plain, */*', 'json'],
    ['text/html, text/csv;q=0.9, */*;q=0.1', 'csv'],
    ['application/json;q=0.5, text/csv;q=0.8', 'csv'],
    ['text/csv, application/json', 'csv'],
    ['*/*, application/json;q=0', 'csv'],
  ])('is, for Accept %j, %s', (accept, format) => {
    expect(negotiateFormat(undefined, accept)).toBe(format);
  });

  it('is what the body asks for, whatever the header', () => {
    expect(negotiateFormat('csv', 'application/json')).toBe('csv');
    expect(negotiateFormat('json', 'image/png')).toBe('json');
  });

  it.each(['image/png', 'text/html, image/*', 'application/json;q=0', 'text/csv;q=2', 'json'])(
    'refuses Accept %j',
    (accept) => {
      expect(() => negotiateFormat(undefined, accept)).toThrow(
        expect.objectContaining({ code: 'not_acceptable' }),
      );
    },
  );
});
