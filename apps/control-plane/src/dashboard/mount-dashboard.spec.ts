import fastify from 'fastify';

import { findDashboardSite, pathPrefix } from './dashboard-site.js';
import { mountDashboard } from './mount-dashboard.js';

describe('mountDashboard', () => {
  const mount = async (publicUrl: string, find: typeof findDashboardSite) => {
    const warnings: unknown[] = [];
    const app = fastify();
    mountDashboard(app, publicUrl, { warn: (text) => warnings.push(text) }, find);
    const { statusCode } = await app.inject({ url: '/dashboard/', headers: { accept: 'text/html' } });
    await app.close();
    return { statusCode, warnings };
  };

  it('logs what to do if the files are not built, and serves no page', async () => {
    expect(await mount('https://example.com', () => undefined)).toEqual({
      statusCode: 404,
      warnings: [expect.stringContaining('Run npm run build')],
    });
  });

  it('logs what to do if the public URL cannot be a prefix, and serves no page', async () => {
    expect(await mount('https://example.com/a%22b', findDashboardSite)).toEqual({
      statusCode: 404,
      warnings: [expect.stringContaining('UNDERSTUDY_PUBLIC_URL')],
    });
  });
});

describe('pathPrefix', () => {
  it.each([
    ['https://example.com', ''],
    ['https://example.com/', ''],
    ['https://example.com/a/b', '/a/b'],
    ['https://example.com/a/b//', '/a/b'],
    ['https://example.com/a-b_c.d~9', '/a-b_c.d~9'],
    ['https://example.com/a"b', undefined],
    ['https://example.com/a//b', undefined],
    ['https://example.com/ä', undefined],
  ])('is for %s the path %s', (url, prefix) => {
    expect(pathPrefix(url)).toBe(prefix);
  });
});
