import { fastifyCookie } from '@fastify/cookie';
import { fastify } from 'fastify';

import { newSessionSecret, SessionCookie } from './session-cookie.js';

const SECRET = `us_session_${'a'.repeat(43)}`;

describe('SessionCookie', () => {
  // The plugin loads its parser when it is registered.
  beforeAll(async () => void (await fastify().register(fastifyCookie).ready()));

  it('has the prefix __Host- and the attribute Secure for https', () => {
    const cookie = new SessionCookie('https://understudy.example.com/a/b');
    expect(cookie.set(SECRET)).toBe(`__Host-understudy=${SECRET}; Path=/; HttpOnly; Secure; SameSite=Strict`);
    expect(cookie.clear()).toBe('__Host-understudy=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict');
    expect(cookie.read(`understudy=${SECRET}`)).toBeUndefined();
  });

  it('has neither for http on a loopback address', () => {
    const cookie = new SessionCookie('http://127.0.0.1:8080');
    expect(cookie.set(SECRET)).toBe(`understudy=${SECRET}; Path=/; HttpOnly; SameSite=Strict`);
    expect(cookie.read(`__Host-understudy=${SECRET}`)).toBeUndefined();
  });

  it.each([
    ['https://understudy.example.com', true],
    ['http://localhost:8080', true],
    ['http://[::1]:8080', true],
    ['http://understudy.example.com', false],
    ['http://10.0.0.1', false],
  ])('is allowed for %s: %s', (publicUrl, expected) => {
    expect(new SessionCookie(publicUrl).isAllowed).toBe(expected);
  });

  it('reads a well-formed secret among other cookies, and nothing else', () => {
    const cookie = new SessionCookie('http://localhost');
    const secret = newSessionSecret();
    expect(cookie.read(`a=b; understudy=${secret}; c=d`)).toBe(secret);
    const malformed = [
      '',
      'understudy',
      'understudy=',
      `understudy=${secret}x`,
      `understudy=${secret.slice(1)}`,
    ];
    for (const header of [undefined, ...malformed, 'understudy=%zz', '__proto__=x'])
      expect(cookie.read(header)).toBeUndefined();
  });
});
