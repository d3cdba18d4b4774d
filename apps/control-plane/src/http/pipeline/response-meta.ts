export interface ResponseMeta {
  readonly request_id: string;
  readonly timestamp: string;
}

export function responseMeta(requestId: string, now = new Date()): ResponseMeta {
  return { request_id: requestId, timestamp: now.toISOString() };
}
