import type { JsonObject } from '../../json-value.js';

export function svcName(algorithm: string): string {
  return `@svc/core:logic.${algorithm}`;
}

export function svcExample(algorithm: string, params?: JsonObject): JsonObject {
  return { type: 'svc', algorithm, ...(params && { params }) };
}
