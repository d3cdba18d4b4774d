import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ApiModel } from '../src/clients/api-model.js';
import { clientFiles, problemsOf, readDocument, writeFiles } from '../src/clients/write-clients.js';

const ROOT = join(import.meta.dirname, '../../..');

/** Generated files, one of each language. */
const GENERATED = [
  'clients/typescript/src/generated/types.ts',
  'clients/python/src/understudy/_generated/types.py',
  'clients/php/src/Generated/Types/SyncJob.php',
  'clients/go/generated_types.go',
];

describe('the generated code of the clients', () => {
  const api = readDocument(ROOT);
  const files = clientFiles(api, ROOT);
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'understudy-clients-'));
    writeFiles(root, files);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('is what the repository contains', () => {
    expect(problemsOf(ROOT, files)).toEqual([]);
    expect(problemsOf(root, files)).toEqual([]);
  });

  it.each(GENERATED)('is refused if someone edited %s', (file) => {
    appendFileSync(join(root, file), '\n');
    expect(problemsOf(root, files)).toEqual([`${file} is not what docs/reference/openapi.json describes`]);
  });

  it.each(GENERATED)('is refused if %s is missing', (file) => {
    rmSync(join(root, file));
    expect(problemsOf(root, files)).toEqual([`${file} is missing`]);
  });

  it('is refused if it has the file of a type that no longer exists, until it is written again', () => {
    const file = 'clients/php/src/Generated/Types/Removed.php';
    writeFileSync(join(root, file), '<?php\n');
    expect(problemsOf(root, files)).toEqual([`${file} belongs to no type`]);
    writeFiles(root, files);
    expect(existsSync(join(root, file))).toBe(false);
  });

  it('has a new field of the document in every language', () => {
    const changed = clientFiles(withField('SyncJob', 'rows_skipped', api), ROOT);
    const stale = GENERATED.map((file) => `${file} is not what docs/reference/openapi.json describes`);
    expect(problemsOf(root, changed)).toEqual(expect.arrayContaining(stale));
    writeFiles(root, changed);
    for (const file of GENERATED)
      expect(readFileSync(join(root, file), 'utf8')).toMatch(/rows_skipped|RowsSkipped/);
  });
});

function withField(type: string, name: string, api: ApiModel): ApiModel {
  const field = { name, doc: 'Rows.', required: true, type: { kind: 'integer' } } as const;
  const types = api.types.map((each) =>
    each.name === type ? { ...each, fields: [...each.fields, field] } : each,
  );
  return { ...api, types };
}
