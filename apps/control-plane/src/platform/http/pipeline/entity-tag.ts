import { writeExactJson } from '@understudy/expression';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';

/** Returns the entity tag of a text: equal texts have equal tags. */
export function entityTag(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}

/**
 * Returns whether an `If-None-Match` header (RFC 9110, 13.1.2) is `*` or lists the tag. Compares weakly, because
 * proxies that compress a response make its tag weak.
 */
export function matchesTag(known: string | undefined, tag: string): boolean {
  const tags = (known ?? '').split(',').map(opaque);
  return tags.includes('*') || tags.includes(opaque(tag));
}

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');

/**
 * Sends the `ETag` of a response with an envelope, as {@link sendTag} does. The tag is weak, because `meta` differs in
 * each response.
 * @param content the parts of the response that decide whether it is the same
 */
export function tagResponse(request: FastifyRequest, reply: FastifyReply, content: unknown): boolean {
  return sendTag(request, reply, `W/${entityTag(writeExactJson(content))}`);
}

/**
 * Sets the `ETag` of a response to a GET request. If the client already has this response, sets the status 304.
 * @returns whether the client has the response, so that the body must be omitted
 */
export function sendTag(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  // Browsers and proxies must ask again, and no proxy may share the response.
  void reply.headers({ etag: tag, 'cache-control': 'private, no-cache' });
  if (!matchesTag(request.headers['if-none-match'], tag)) return false;
  void reply.status(304);
  return true;
}
