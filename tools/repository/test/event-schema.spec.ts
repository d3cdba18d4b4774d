import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { writeEventSchema } from '../src/schema-lint/write-event-schema.js';

const repository = join(__dirname, '../../..');
const GENERATED = 'understudy/v1/event_schema.ts';

describe('the description of events as data', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'understudy-events-'));
    cpSync(join(repository, 'proto'), join(root, 'proto'), { recursive: true });
    symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** Adds a field to the message RoleCounts. */
  function add(field: string): void {
    const file = join(root, 'proto/understudy/v1/event.proto');
    const source = readFileSync(file, 'utf8');
    expect(source).toContain('uint32 restore = 5;');
    writeFileSync(file, source.replace('uint32 restore = 5;', `uint32 restore = 5;\n  ${field}`));
  }

  it('contains a new field with its comment', () => {
    add('// The first line\n  // and the second.\n  repeated SslMode modes = 90;');
    writeEventSchema(root, root);
    const text = readFileSync(join(root, GENERATED), 'utf8');
    expect(text).toContain('"description": "The first line and the second."');
  });

  it.each(['float', 'bytes', 'int64'])('refuses a field of the type %s, whose kind is not known', (type) => {
    add(`${type} value = 90;`);
    expect(() => writeEventSchema(root, root)).toThrow('understudy.v1.RoleCounts.value: expected a kind');
  });

  it('refuses a nested message, which the description would omit', () => {
    add('message Row {}');
    expect(() => writeEventSchema(root, root)).toThrow(
      'understudy.v1.RoleCounts: define its nested types at the top level',
    );
  });
});
