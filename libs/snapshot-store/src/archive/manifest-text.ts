import { sealedLength } from '../sealing/block-sealer.js';
import type { ArchiveManifest, SnapshotTable, StoredFile } from './archive-manifest.js';
import { checkFileName } from './archive-names.js';

const FORMAT_VERSION = 1;

/** Thrown if a text is not a valid manifest of the archive under whose id it was stored. */
export class ManifestTextError extends Error {
  constructor(readonly damage: 'manifest' | 'newer_format') {
    super('the text is not a manifest of this archive');
    this.name = 'ManifestTextError';
  }
}

/**
 * Encodes a manifest as docs/reference/snapshot-archive-format.md specifies. The keys have a fixed order, so equal
 * manifests give equal texts.
 */
export function manifestText(manifest: ArchiveManifest): string {
  return JSON.stringify({
    format: FORMAT_VERSION,
    id: manifest.id,
    created_at: manifest.createdAt.toISOString(),
    expires_at: manifest.expiresAt.toISOString(),
    database: manifest.database,
    server_version: manifest.serverVersion,
    attributes: manifest.attributes,
    tables: manifest.tables.map(({ schema, name, bytes }) => ({ schema, name, bytes })),
    files: manifest.files.map(({ name, number, bytes, storedBytes, sha256 }) => ({
      name,
      number,
      bytes,
      stored_bytes: storedBytes,
      sha256,
    })),
  });
}

/**
 * Parses and validates a manifest. Even an authenticated manifest can be invalid, because another program
 * with the same key may have written it.
 * @param id the id of the archive under which the text was stored
 * @throws ManifestTextError
 */
export function parseManifest(text: string, id: string): ArchiveManifest {
  try {
    const json = record(JSON.parse(text));
    if (typeof json['format'] === 'number' && json['format'] > FORMAT_VERSION)
      throw new ManifestTextError('newer_format');
    if (json['format'] !== FORMAT_VERSION || json['id'] !== id) throw new ManifestTextError('manifest');
    const files = list(json['files']).map(parseFile);
    if (hasDuplicates(files.map(({ name }) => name)) || hasDuplicates(files.map(({ number }) => number)))
      throw new ManifestTextError('manifest');
    return {
      id,
      createdAt: date(json['created_at']),
      expiresAt: date(json['expires_at']),
      database: string(json['database']),
      serverVersion: string(json['server_version']),
      attributes: Object.fromEntries(
        Object.entries(record(json['attributes'])).map(([k, v]) => [k, string(v)]),
      ),
      tables: list(json['tables']).map(parseTable),
      files,
    };
  } catch (error) {
    throw error instanceof ManifestTextError ? error : new ManifestTextError('manifest');
  }
}

function parseTable(value: unknown): SnapshotTable {
  const json = record(value);
  return { schema: string(json['schema']), name: string(json['name']), bytes: count(json['bytes']) };
}

function parseFile(value: unknown): StoredFile {
  const json = record(value);
  const [name, sha256] = [string(json['name']), string(json['sha256'])];
  const [bytes, storedBytes, number] = [
    count(json['bytes']),
    count(json['stored_bytes']),
    count(json['number']),
  ];
  checkFileName(name);
  if (!/^[0-9a-f]{64}$/.test(sha256) || storedBytes !== sealedLength(bytes))
    throw new ManifestTextError('manifest');
  return { name, number, bytes, storedBytes, sha256 };
}

function hasDuplicates(values: readonly unknown[]): boolean {
  return new Set(values).size !== values.length;
}

function record(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ManifestTextError('manifest');
  return value as Record<string, unknown>;
}

function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new ManifestTextError('manifest');
  return value;
}

function string(value: unknown): string {
  if (typeof value !== 'string') throw new ManifestTextError('manifest');
  return value;
}

function count(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new ManifestTextError('manifest');
  return value;
}

function date(value: unknown): Date {
  const parsed = new Date(string(value));
  if (Number.isNaN(parsed.getTime())) throw new ManifestTextError('manifest');
  return parsed;
}
