import { OwnPage } from './own-page.js';

const accepts = (publicUrl: string, headers: Record<string, string>): boolean => {
  try {
    new OwnPage(publicUrl).assertSent(headers);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'forbidden' });
    return false;
  }
};

describe('OwnPage', () => {
  it.each([
    ['same-origin', true],
    ['same-site', false],
    ['cross-site', false],
    ['none', false],
    ['', false],
    ['same-origin, cross-site', false],
  ])('decides by Sec-Fetch-Site if the browser sends it: %s', (site, expected) => {
    const headers = { 'sec-fetch-site': site, origin: 'https://understudy.example.com' };
    expect(accepts('https://understudy.example.com/a/b', headers)).toBe(expected);
    expect(accepts('https://understudy.example.com', { 'sec-fetch-site': site })).toBe(expected);
  });

  it.each([
    ['https://understudy.example.com', true],
    ['http://understudy.example.com', false],
    ['https://understudy.example.com:8443', false],
    ['https://other.example.com', false],
    ['https://understudy.example.com.evil.example', false],
    ['null', false],
    ['', false],
  ])('compares Origin with the public URL if Sec-Fetch-Site is absent: %s', (origin, expected) => {
    expect(accepts('https://understudy.example.com/a/b', { origin })).toBe(expected);
  });

  it('refuses a request without both headers', () => {
    expect(accepts('https://understudy.example.com', { host: 'understudy.example.com' })).toBe(false);
  });

  it.each([
    ['http://localhost:8080', 'localhost:8080', true],
    ['http://[::1]:8080', '[::1]:8080', true],
    ['http://127.0.0.1:8080', '127.0.0.1:8080', true],
    ['http://localhost:3000', 'localhost:8080', false],
    ['http://rebound.example:8080', 'rebound.example:8080', false],
    ['https://localhost:8080', 'localhost:8080', false],
  ])('accepts the loopback origin %s at the host %s on plain HTTP: %s', (origin, host, expected) => {
    expect(accepts('http://127.0.0.1:1', { origin, host })).toBe(expected);
    expect(accepts('https://understudy.example.com', { origin, host })).toBe(false);
  });
});
