import { negotiateFormat } from './response-format.js';

describe('negotiateFormat', () => {
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
  ])('chooses for Accept %j the format %s', (accept, format) => {
    expect(negotiateFormat(undefined, accept)).toBe(format);
  });

  it('prefers the format in the body to the Accept header', () => {
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
