import { hasMembers } from '@understudy/expression';
import { expectedButGot } from '@understudy/sync-job';

import type { FieldProblem } from '../../platform/http/errors/api-error.js';
import { isRecord } from '../../platform/http/dto/read-dto.js';
import type { MockResponseDto } from './create-mock-endpoint.dto.js';
import { DEFAULT_COUNT, MAX_LATENCY_MS, type MockResponse } from './mock-response.js';
import { headerProblems } from './response-headers.js';

/** The default wrapper: the response is the array of records. */
const DEFAULT_WRAPPER = '{{records}}';

/** Returns the problems that the validators of single fields do not find. */
export function responseProblems({ wrapper, headers, latency_ms, status }: MockResponseDto): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (wrapper !== undefined && typeof wrapper !== 'string' && !hasMembers(wrapper)) {
    const message = expectedButGot('an object, an array or a template', wrapper);
    problems.push({ field: 'response.wrapper', message });
  }
  if (headers !== undefined) problems.push(...headerProblems(headers, 'response.headers', status));
  if (status !== undefined && status >= 300 && status < 400)
    problems.push({
      field: 'response.status',
      message: 'expected a status from 200 to 299 or 400 to 599, because a mock endpoint does not redirect',
    });
  if (latency_ms !== undefined && !isLatency(latency_ms)) {
    const what = `milliseconds from 0 to ${MAX_LATENCY_MS}, or an object {min, max} of milliseconds with min at most max`;
    problems.push({ field: 'response.latency_ms', message: expectedButGot(what, latency_ms) });
  }
  return problems;
}

/** @param dto checked by `responseProblems` */
export function toMockResponse(dto: MockResponseDto = {}): MockResponse {
  return {
    count: dto.count ?? DEFAULT_COUNT,
    wrapper: dto.wrapper ?? DEFAULT_WRAPPER,
    status: dto.status ?? 200,
    headers: (dto.headers as Record<string, string> | undefined) ?? {},
    latency_ms: (dto.latency_ms as MockResponse['latency_ms'] | undefined) ?? 0,
    fail_rate: dto.fail_rate ?? 0,
  };
}

function isLatency(value: unknown): boolean {
  if (!isRecord(value)) return isMilliseconds(value);
  const { min, max, ...rest } = value;
  if (Object.keys(rest).length > 0) return false;
  return isMilliseconds(min) && isMilliseconds(max) && Number(min) <= Number(max);
}

function isMilliseconds(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MAX_LATENCY_MS;
}
