import { explainStateError } from './explain-state-error.js';

describe('explainStateError', () => {
  it('explains an error that another error wraps', () => {
    const cause = Object.assign(new Error('denied'), { code: 'EACCES', path: '/state/journal/1.ndjson' });
    expect(explainStateError(new Error('no journal', { cause }), '/state')).toMatchObject({
      message: expect.stringContaining('"journal/1.ndjson" in the folder is not accessible'),
    });
  });

  it.each([
    new Error('other'),
    Object.assign(new Error('other folder'), { code: 'EACCES', path: '/statement/x' }),
    Object.assign(new Error('full'), { code: 'ENOSPC', path: '/state/journal' }),
  ])('returns other errors unchanged', (error) => {
    expect(explainStateError(error, '/state')).toBe(error);
  });
});
