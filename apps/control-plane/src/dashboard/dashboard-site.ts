import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The built files of the dashboard, for one path prefix. */
export interface DashboardSite {
  readonly folder: string;
  readonly prefix: string;
  /** index.html with absolute URLs below the path prefix. */
  readonly page: Buffer;
  /** The entity tag of `page`, with quotation marks. */
  readonly etag: string;
}

/**
 * Finds the files in the package `@understudy/dashboard`, and writes the path prefix into index.html.
 * @param prefix as `pathPrefix` returns it
 * @returns undefined if the package is absent or not built
 */
export function findDashboardSite(prefix: string): DashboardSite | undefined {
  const folder = siteFolder();
  const file = folder && join(folder, 'index.html');
  if (!file || !existsSync(file)) return undefined;
  const page = Buffer.from(addPrefix(readFileSync(file, 'utf8'), prefix));
  return { folder, prefix, page, etag: `"${createHash('sha256').update(page).digest('base64url')}"` };
}

function siteFolder(): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve('@understudy/dashboard/package.json');
    return join(dirname(manifest), 'dist/site');
  } catch {
    return undefined; // the package is not installed
  }
}

/**
 * Returns the path below which the control plane is published, such as `/a/b`, or an empty text.
 * @returns undefined if the path has other characters than letters, digits, `.`, `_`, `~` and `-`
 */
export function pathPrefix(publicUrl: string): string | undefined {
  const prefix = new URL(publicUrl).pathname.replace(/\/+$/, '');
  return /^(\/[A-Za-z0-9._~-]+)*$/.test(prefix) ? prefix : undefined;
}

/**
 * Makes the relative URLs of index.html absolute, because the page is sent for every path of the dashboard. The policy
 * forbids a `<base>` element.
 */
function addPrefix(html: string, prefix: string): string {
  return html
    .replaceAll(/(src|href)="\.\//g, `$1="${prefix}/dashboard/`)
    .replace('<meta name="base-path" content=""', `<meta name="base-path" content="${prefix}"`);
}
