import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fieldPath } from '@understudy/sync-job';

import { ApiError, validationError } from '../errors/api-error.js';
import { dashboardOf, operationOf } from '../pipeline/guard-requests.js';
import { callerOf } from '../pipeline/caller-request.js';
import { refuseEncoding } from '../pipeline/json-body.js';
import { UploadedFile } from './uploaded-file.js';
import { type UploadMemory, type UploadAllowance, uploadsBusy } from './upload-memory.js';

export const MULTIPART = 'multipart/form-data';

const MIB = 1024 * 1024;
export const MAX_FILE_BYTES = 32 * MIB;
/** The maximum size of a whole form: the file, and 1 MiB for boundaries, headers and the other fields. */
const MAX_FORM_BYTES = MAX_FILE_BYTES + MIB;
const LIMITS = {
  fileSize: MAX_FILE_BYTES,
  files: 1,
  fields: 16,
  parts: 17,
  fieldSize: 64 * 1024,
  headerPairs: 32,
};

/**
 * Accepts forms with a file for the operations that declare them. All other operations accept only JSON. The
 * form becomes the request's body: an object of texts and one `UploadedFile`. Call this function before
 * `app.init` and after `guardRequests`.
 */
export function takeForms(fastify: FastifyInstance, memory: UploadMemory): void {
  void fastify.register(multipart);
  fastify.addHook('preParsing', async (request) => checkMediaType(request));
  fastify.addHook('preValidation', async (request, reply) => {
    if (request.isMultipart()) request.body = await readForm(request, reply, memory);
  });
}

function checkMediaType(request: FastifyRequest): void {
  const operation = operationOf(request);
  // Other routes have parsers of their own. Bodies of GET and HEAD are not read.
  const isOurs = operation !== undefined || dashboardOf(request) !== undefined;
  if (!isOurs || request.method === 'GET' || request.method === 'HEAD') return;
  const takes = operation?.takes ?? 'application/json';
  const isForm = /^multipart\/form-data\s*(;|$)/i.test(request.headers['content-type'] ?? '');
  if (takes !== MULTIPART && !isForm) return; // other media types have no parser
  if (takes !== MULTIPART || !isForm)
    throw new ApiError('unsupported_media_type', `Send the body as ${takes}.`);
  refuseEncoding(request.headers);
}

async function readForm(
  request: FastifyRequest,
  reply: FastifyReply,
  memory: UploadMemory,
): Promise<Record<string, unknown>> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_FORM_BYTES) throw tooLarge();
  const allowance = memory.open(callerOf(request)?.organizationId ?? '');
  // The file stays in memory until the response is sent, because the handler may still be using it.
  reply.raw.once('close', () => allowance.release());
  try {
    const form = readParts(request, allowance);
    return await Promise.race([form, overrun(request, form)]);
  } catch (error) {
    // The rest of the form is read and discarded. Otherwise the client would keep sending and not read the
    // response.
    request.raw.unpipe();
    request.raw.resume();
    throw asFormError(error);
  }
}

/**
 * Rejects if the request is larger than `MAX_FORM_BYTES`. This check is needed because the parser's file
 * limit does not count bytes outside parts.
 */
function overrun({ raw }: FastifyRequest, form: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    let bytes = 0;
    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > MAX_FORM_BYTES) reject(tooLarge());
    };
    raw.on('data', count);
    const stop = (): void => void raw.off('data', count);
    form.then(stop, stop);
  });
}

async function readParts(
  request: FastifyRequest,
  allowance: UploadAllowance,
): Promise<Record<string, unknown>> {
  const fields = new Map<string, unknown>();
  for await (const part of request.parts({ limits: LIMITS })) {
    const field = fieldPath('', part.fieldname);
    if (fields.has(part.fieldname)) throw validationError([{ field, message: 'is given more than once' }]);
    if (part.type === 'field' && part.valueTruncated)
      throw validationError([{ field, message: `is longer than ${LIMITS.fieldSize} bytes` }]);
    const value = part.type === 'field' ? part.value : await readFile(part.file, allowance);
    fields.set(part.fieldname, value);
  }
  return Object.fromEntries(fields);
}

async function readFile(
  stream: AsyncIterable<Buffer> & { readonly truncated: boolean },
  allowance: UploadAllowance,
): Promise<UploadedFile> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    if (!allowance.take(chunk.length)) throw uploadsBusy();
    chunks.push(chunk);
  }
  if (stream.truncated) throw tooLarge();
  return new UploadedFile(chunks);
}

/** Converts an error of the parser to an ApiError, because callers must not see the parser's messages. */
function asFormError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge();
  if (code === 'FST_FILES_LIMIT')
    return new ApiError('payload_too_large', 'The form has more than one file.');
  if (code === 'FST_FIELDS_LIMIT' || code === 'FST_PARTS_LIMIT')
    return new ApiError('payload_too_large', `The form has more than ${LIMITS.fields} fields.`);
  return new ApiError('bad_request', `The body is not a readable ${MULTIPART} form.`, { cause: error });
}

function tooLarge(): ApiError {
  return new ApiError('payload_too_large', `The file is larger than ${MAX_FILE_BYTES / MIB} MiB.`);
}
