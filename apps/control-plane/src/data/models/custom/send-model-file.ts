import { StreamableFile } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { ModelFile } from '../../compute/task-lookups.js';
import { noSuch } from '../../../platform/http/errors/api-error.js';
import { sendTag } from '../../../platform/http/pipeline/entity-tag.js';

/** A file that an organisation uploaded, and the name under which a browser stores it. */
export interface DownloadedModel extends ModelFile {
  readonly fileName: string;
}

/**
 * Sends the bytes that were uploaded. The `ETag` is their SHA-256 in hex. If the client already has them, the status is
 * 304 and the file is not read.
 * @throws ApiError `not_found` if the model is being deleted
 */
export async function sendModelFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { hash, fileName, bytes }: DownloadedModel,
): Promise<StreamableFile | undefined> {
  if (sendTag(request, reply, `"${hash}"`)) return undefined;
  const file = await bytes();
  if (file === undefined) throw noSuch('model');
  return new StreamableFile(Buffer.from(file.buffer, file.byteOffset, file.byteLength), {
    type: 'application/octet-stream',
    disposition: `attachment; filename="${fileName}"`,
    length: file.byteLength,
  });
}
