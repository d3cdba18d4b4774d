import { ApiError } from '../errors/api-error.js';
import { Anything, IsSeed, Optional } from '../dto/field-validators.js';
import { parseJsonBody } from './json-body.js';
import { RequestPipe } from './request.pipe.js';

class Seeded {
  @Optional()
  @IsSeed()
  seed?: number;

  @Anything()
  other?: unknown;
}

class KeepsIntegers extends Seeded {
  static readonly keepsIntegers = true;
}

/** Returns the problems of a body, by field. */
function problemsOf(body: string, metatype: typeof Seeded): Record<string, string> {
  try {
    new RequestPipe().transform(parseJsonBody(Buffer.from(body)), { type: 'body', metatype });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return Object.fromEntries((error.details ?? []).map(({ field, message }) => [field, message]));
  }
  return {};
}

const RANGE = 'expected an integer from -9007199254740991 to 9007199254740991, got';

describe('RequestPipe', () => {
  it.each([Seeded, KeepsIntegers])('names the range of a seed beyond it: %p', (metatype) => {
    for (const seed of ['9007199254740993', '-9007199254740993', '9223372036854775808'])
      expect(problemsOf(`{"seed":${seed}}`, metatype)).toEqual({ seed: `${RANGE} the number ${seed}` });
    expect(problemsOf(`{"seed":1${'0'.repeat(60)}1}`, metatype)).toEqual({
      seed: `${RANGE} a longer number`,
    });
    for (const seed of ['9007199254740991', '-9007199254740991'])
      expect(problemsOf(`{"seed":${seed}}`, metatype)).toEqual({});
  });

  it('reports all problems, also numbers that would be rounded in other fields', () => {
    expect(problemsOf('{"seed":1.5,"other":[1e1001]}', Seeded)).toEqual({
      seed: `${RANGE} the number 1.5`,
      'other[0]': expect.stringContaining('rounded') as string,
    });
  });
});
