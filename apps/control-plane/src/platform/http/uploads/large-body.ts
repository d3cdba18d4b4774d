import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';

import { ApiError } from '../errors/api-error.js';
import { callerOf } from '../pipeline/caller-request.js';
import { operationOf } from '../pipeline/guard-requests.js';
import { MAX_BODY_BYTES, MAX_LARGE_BODY_BYTES, refuseEncoding } from '../pipeline/json-body.js';
import { type UploadMemory, uploadsBusy } from './upload-memory.js';
import { UnreadBody } from './uploaded-file.js';

/**
 * Makes the JSON body of each operation with `hasLargeBody` an {@link UnreadBody}. Call this function before
 * `app.init` and after `takeForms`.
 */
export function takeLargeBodies(fastify: FastifyInstance, memory: UploadMemory): void {
  const bodies = new WeakMap<FastifyRequest, UnreadBody>();
  fastify.addHook('preParsing', async (request, reply) => {
    if (!operationOf(request)?.hasLargeBody || !isJson(request)) return undefined;
    const body = await receive(request, reply, memory);
    if (body.bytes.length > 0) bodies.set(request, body);
    // Fastify's parser then reads an empty stream, and compares this length with the header.
    return Object.assign(Readable.from([]), { receivedEncodedLength: body.bytes.length });
  });
  fastify.addHook('preValidation', async (request) => {
    const body = bodies.get(request);
    if (body) request.body = body;
  });
}

function isJson({ headers }: FastifyRequest): boolean {
  return /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
}

/** Reads the whole body. Reserves memory for a body that is larger than those of other operations. */
async function receive(
  request: FastifyRequest,
  reply: FastifyReply,
  memory: UploadMemory,
): Promise<UnreadBody> {
  refuseEncoding(request.headers);
  if (Number(request.headers['content-length'] ?? 0) > MAX_LARGE_BODY_BYTES) throw tooLarge();
  const allowance = memory.open(callerOf(request)?.organizationId ?? '');
  // The handler may use the body until the response is sent.
  reply.raw.once('close', () => allowance.release());
  const chunks: Uint8Array[] = [];
  let size = 0;
  let reserved = 0;
  try {
    // If the stream were destroyed, the client could not read the response.
    for await (const chunk of request.raw.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk as Uint8Array);
      size += (chunk as Uint8Array).length;
      if (size > MAX_LARGE_BODY_BYTES) throw tooLarge();
      if (size <= MAX_BODY_BYTES) continue;
      if (!allowance.take(size - reserved)) throw uploadsBusy();
      reserved = size;
    }
  } catch (error) {
    request.raw.resume(); // discards the rest, because the client reads the response after it has sent the body
    throw error;
  }
  return new UnreadBody(chunks);
}

function tooLarge(): ApiError {
  const limit = MAX_LARGE_BODY_BYTES / (1024 * 1024);
  return new ApiError('payload_too_large', `The body is larger than ${limit} MiB.`);
}
