import { BUILTIN_ASSETS_FOLDER } from '@understudy/builtin-models/node';
import { ENGINE_VERSION } from '@understudy/generator';
import type { FastifyInstance } from 'fastify';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import { notFound } from '../platform/http/errors/api-error.js';

/** Existing models never change within a version of the engine, so browsers keep the files of this folder. */
const FOLDER = `/dashboard/model-files/${ENGINE_VERSION}`;
/** The only file that can change within a version of the engine, because models may be added. */
const INDEX = 'index.json';

const HEADERS = {
  'content-security-policy': "default-src 'none'",
  vary: 'accept-encoding',
};

const TYPE_OF: Readonly<Record<string, string>> = {
  '.json': 'application/json; charset=utf-8',
  '.ngram': 'application/octet-stream',
};

const compress = promisify(gzip);

/**
 * Serves the files of the built-in models, from which the playground generates records in the browser. They are part of
 * the product and contain nothing of an organisation, so anyone may read them. Each file is read and compressed with
 * its first request, and kept in memory; all together have 7 MB. Call this function before `app.init`.
 */
export function mountModelFiles(fastify: FastifyInstance): void {
  const files = new Map(modelFiles().map((path) => [path, new ServedFile(path)]));
  fastify.get<{ Params: { '*': string } }>(`${FOLDER}/*`, async ({ params, headers }, reply) => {
    const file = files.get(params['*']);
    if (file === undefined) throw notFound();
    const { plain, compressed, etag } = await file.content();
    const cacheControl = params['*'] === INDEX ? 'no-cache' : 'public, max-age=31536000, immutable';
    void reply.headers({ ...HEADERS, 'cache-control': cacheControl, etag });
    if (headers['if-none-match'] === etag) return reply.status(304).send();
    void reply.type(TYPE_OF[extname(params['*'])] ?? 'application/octet-stream');
    if (!acceptsGzip(headers['accept-encoding'])) return reply.send(plain);
    return reply.header('content-encoding', 'gzip').send(compressed);
  });
}

/** The paths of all files, relative to their folder. Only these are served. */
function modelFiles(): string[] {
  return readdirSync(BUILTIN_ASSETS_FOLDER, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll(sep, '/'))
    .filter((path) => extname(path) in TYPE_OF);
}

interface FileContent {
  readonly plain: Buffer;
  readonly compressed: Buffer;
  /** Weak, because it is the same for both forms. */
  readonly etag: string;
}

class ServedFile {
  private reading: Promise<FileContent> | undefined;

  constructor(private readonly path: string) {}

  /** Returns the content, which is read once. After a failure, the next call reads it again. */
  content(): Promise<FileContent> {
    return (this.reading ??= this.read().catch((error: unknown) => {
      this.reading = undefined;
      throw error;
    }));
  }

  private async read(): Promise<FileContent> {
    const plain = await readFile(join(BUILTIN_ASSETS_FOLDER, this.path));
    const hash = createHash('sha256').update(plain).digest('base64url');
    return { plain, compressed: await compress(plain), etag: `W/"${hash}"` };
  }
}

function acceptsGzip(header: string | string[] | undefined): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(header ?? ''));
}
