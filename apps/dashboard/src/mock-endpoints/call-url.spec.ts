import { callUrl, curlCommand, pathParameters } from './call-url.js';

const NONE = { parameters: {}, seed: '', count: '' };

describe('a call of a mock endpoint', () => {
  it('fills the parameters of the path', () => {
    const path = '/users/:id/posts/:post';
    expect(pathParameters(path)).toEqual(['id', 'post']);
    const url = `https://understudy.example.com/mock/ep_1${path}`;
    expect(callUrl(url, path, { ...NONE, parameters: { id: 'a/b ?' } })).toBe(
      'https://understudy.example.com/mock/ep_1/users/a%2Fb%20%3F/posts/1',
    );
  });

  it('leaves a colon inside a segment and in the host as it is', () => {
    expect(callUrl('http://localhost:3000/mock/ep_1/a:b', '/a:b', NONE)).toBe(
      'http://localhost:3000/mock/ep_1/a:b',
    );
    expect(pathParameters('/a:b')).toEqual([]);
  });

  it('adds a seed and a count only if they are given', () => {
    expect(callUrl('https://h/ep_1/x', '/x', { ...NONE, seed: '7', count: '3' })).toBe(
      'https://h/ep_1/x?seed=7&count=3',
    );
    expect(callUrl('https://h/ep_1/x', '/x', NONE)).toBe('https://h/ep_1/x');
  });

  it('is a command that a shell cannot read differently', () => {
    expect(curlCommand('POST', "https://h/it's", true)).toBe(
      `curl -sS -X POST 'https://h/it'\\''s' \\\n  -H "Authorization: Bearer $UNDERSTUDY_API_TOKEN"`,
    );
  });
});
