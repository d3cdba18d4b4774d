import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { lintSchema, loadSchema } from '../src/schema-lint/lint-schema.js';
import { DIRECTIONS, REVIEWED_FIELDS } from '../src/schema-lint/reviewed-fields.js';

const root = join(__dirname, '../../..');
const buf = join(root, 'node_modules/.bin/buf');
const rules = { directions: DIRECTIONS, reviewed: REVIEWED_FIELDS };

describe('the schema lint', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'understudy-schema-'));
    cpSync(join(root, 'proto'), folder, { recursive: true });
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function plant(anchor: string, text: string): void {
    const file = join(folder, 'understudy/v1/event.proto');
    const source = readFileSync(file, 'utf8');
    expect(source).toContain(anchor);
    writeFileSync(file, source.replace(anchor, text));
  }

  it('[0/4, 1/6] passes the schema of the product', () => {
    expect(lintSchema(loadSchema(folder, buf), rules)).toEqual([]);
  });

  it.each([
    [
      'a string field',
      'uint32 sqlstate = 6;',
      'uint32 sqlstate = 6;\n  string detail = 90;',
      'SyncJobFailed.detail',
    ],
    [
      'a bytes field',
      'uint32 sqlstate = 6;',
      'uint32 sqlstate = 6;\n  bytes detail = 90;',
      'SyncJobFailed.detail',
    ],
    [
      'a repeated string',
      'uint32 sqlstate = 6;',
      'uint32 sqlstate = 6;\n  repeated string keys = 90;',
      'SyncJobFailed.keys',
    ],
    [
      'a map with text values',
      'uint32 sqlstate = 6;',
      'uint32 sqlstate = 6;\n  map<uint32, string> m = 90;',
      'SyncJobFailed.m',
    ],
    [
      'a map with text keys',
      'uint32 sqlstate = 6;',
      'uint32 sqlstate = 6;\n  map<string, uint32> m = 90;',
      'SyncJobFailed.m',
    ],
    [
      'an optional string',
      'uint32 sqlstate = 6;',
      'uint32 sqlstate = 6;\n  optional string d = 90;',
      'SyncJobFailed.d',
    ],
    [
      'a oneof string',
      'SyncJobFailed failed = 7;',
      'SyncJobFailed failed = 7;\n    string note = 90;',
      'SyncJobEvent.note',
    ],
    [
      'a nested message',
      'message SyncJobStarted {}',
      'message SyncJobStarted {\n  message Row {\n    bytes cell = 1;\n  }\n}',
      'SyncJobStarted.Row.cell',
    ],
  ])('finds %s planted in an event', (_kind, anchor, text, path) => {
    plant(anchor, text);
    expect(lintSchema(loadSchema(folder, buf), rules)).toEqual([
      expect.stringContaining(`understudy.v1.${path}:`),
    ]);
  });

  it('finds text behind a well-known wrapper type', () => {
    plant(
      'import "google/protobuf/timestamp.proto";',
      'import "google/protobuf/timestamp.proto";\nimport "google/protobuf/wrappers.proto";',
    );
    plant(
      'message SyncJobStarted {}',
      'message SyncJobStarted {\n  google.protobuf.StringValue note = 1;\n}',
    );
    expect(lintSchema(loadSchema(folder, buf), rules)).toEqual([
      expect.stringContaining('google.protobuf.StringValue.value'),
    ]);
  });

  it('refuses a schema file whose direction nobody recorded', () => {
    writeFileSync(
      join(folder, 'understudy/v1/extra.proto'),
      'syntax = "proto3";\npackage understudy.v1;\nmessage Extra {}\n',
    );
    expect(lintSchema(loadSchema(folder, buf), rules)).toEqual([
      expect.stringContaining('extra.proto: no direction'),
    ]);
  });

  it.each([
    ['a count', 'uint32 restore = 5;', 'uint32 restore = 5;\n  uint32 rows = 90;', 'RoleCounts.rows'],
    ['a message', 'uint32 slots = 5;', 'uint32 slots = 5;\n  Lease lease = 90;', 'AgentOffer.lease'],
  ])('refuses %s that is not reviewed in a message that is', (_kind, anchor, text, path) => {
    plant(anchor, text);
    expect(lintSchema(loadSchema(folder, buf), rules)).toEqual([
      expect.stringContaining(`understudy.v1.${path}: it is not on the reviewed list`),
    ]);
  });

  it('refuses a reviewed entry that no message has', () => {
    const reviewed = new Map([...REVIEWED_FIELDS, ['understudy.v1.Gone.name', 'was here once']]);
    expect(lintSchema(loadSchema(folder, buf), { ...rules, reviewed })).toEqual([
      expect.stringContaining('understudy.v1.Gone.name'),
    ]);
  });
});
