import { execFileSync } from 'node:child_process';

import { createFileRegistry, fromBinary, type FileRegistry } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

/** Compiles the .proto files under `folder` with buf. Throws with buf's own words when they do not compile. */
export function loadSchema(folder: string, buf: string): FileRegistry {
  const image = execFileSync(buf, ['build', '-o', '-', '--as-file-descriptor-set'], { cwd: folder });
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, image));
}
