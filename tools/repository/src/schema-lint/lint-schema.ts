import {
  type DescField,
  type DescMessage,
  type FileRegistry,
  ScalarType,
  createFileRegistry,
  fromBinary,
} from '@bufbuild/protobuf';
import { execFileSync } from 'node:child_process';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

export interface SchemaLintRules {
  /** The direction of the messages of each schema file. */
  readonly directions: ReadonlyMap<string, 'agent-to-control' | 'control-to-agent'>;
  /** The reason for each allowed field, by `package.Message.field`. */
  readonly reviewed: ReadonlyMap<string, string>;
}

/**
 * Checks that every string or bytes field that an agent could send is on the reviewed list. It checks the
 * messages of agent-to-control files and all messages reachable from them, including keys and values of maps.
 * If the list has a field of another type, it must have all fields of that message.
 * @returns one line for each problem
 */
export function lintSchema(registry: FileRegistry, rules: SchemaLintRules): readonly string[] {
  const problems: string[] = [];
  const outgoing: DescMessage[] = [];
  for (const file of registry.files) {
    const name = `${file.name}.proto`;
    if (name.startsWith('google/protobuf/')) continue;
    const direction = rules.directions.get(name);
    if (direction === undefined)
      problems.push(`${name}: no direction is recorded for this file in reviewed-fields.ts`);
    if (direction === 'agent-to-control') outgoing.push(...file.messages);
  }

  const unused = new Set(rules.reviewed.keys());
  const isReviewed = (field: DescField) => rules.reviewed.has(pathOf(field));
  const seen = new Set<string>();
  for (let message = outgoing.pop(); message !== undefined; message = outgoing.pop()) {
    if (seen.has(message.typeName)) continue;
    seen.add(message.typeName);
    outgoing.push(...message.nestedMessages);
    const isReviewedWhole = message.fields.some((field) => !carriesText(field) && isReviewed(field));
    for (const field of message.fields) {
      const path = pathOf(field);
      unused.delete(path);
      if (carriesText(field) && !isReviewed(field))
        problems.push(
          `${path}: a string or bytes field in an agent-to-control message that is not on the reviewed list`,
        );
      else if (isReviewedWhole && !isReviewed(field))
        problems.push(`${path}: it is not on the reviewed list, which has other fields of this message`);
      if (field.message) outgoing.push(field.message);
    }
  }
  for (const path of unused)
    problems.push(`${path}: it is on the reviewed list, but no agent-to-control message has it`);
  return problems;
}

function pathOf({ parent, name }: DescField): string {
  return `${parent.typeName}.${name}`;
}

function carriesText(field: DescField): boolean {
  if (isText(field.scalar)) return true;
  return field.fieldKind === 'map' && isText(field.mapKey);
}

function isText(scalar: ScalarType | undefined): boolean {
  return scalar === ScalarType.STRING || scalar === ScalarType.BYTES;
}

/**
 * Compiles the .proto files in `folder` with buf.
 * @throws Error with the message of buf if they do not compile
 */
export function loadSchema(folder: string, buf: string): FileRegistry {
  const image = execFileSync(buf, ['build', '-o', '-', '--as-file-descriptor-set'], { cwd: folder });
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, image));
}
