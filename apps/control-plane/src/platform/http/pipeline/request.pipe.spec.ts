import { ApiError } from '../errors/api-error.js';
import { Anything, IsSeed, Optional } from '../dto/field-validators.js';
import { CreateSyncJobDto } from '../../../data/compute/jobs/create-sync-job.dto.js';
import { parseJsonBody } from './json-body.js';
import { RequestPipe } from './request.pipe.js';

class Seeded {
  @Optional()
  @IsSeed()
  seed?: number;

  @Anything()
  other?: unknown;
}

/** Returns the problems of a body, by field. */
function problemsOf(body: string, metatype: new () => object): Record<string, string> {
  try {
    new RequestPipe().transform(parseJsonBody(Buffer.from(body)), { type: 'body', metatype });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return Object.fromEntries((error.details ?? []).map(({ field, message }) => [field, message]));
  }
  return {};
}

const LONG_DECIMAL = '0.12345678901234567890';
const RANGE = 'expected an integer from -9007199254740991 to 9007199254740991, got';

describe('RequestPipe', () => {
  it('names the range of a seed beyond it', () => {
    for (const seed of ['9007199254740993', '-9007199254740993', '9223372036854775808', LONG_DECIMAL])
      expect(problemsOf(`{"seed":${seed}}`, Seeded)).toEqual({ seed: `${RANGE} the number ${seed}` });
    for (const seed of [`1${'0'.repeat(60)}1`, `0.1${'0'.repeat(60)}1`])
      expect(problemsOf(`{"seed":${seed}}`, Seeded)).toEqual({ seed: `${RANGE} a longer number` });
    for (const seed of ['9007199254740991', '-9007199254740991'])
      expect(problemsOf(`{"seed":${seed}}`, Seeded)).toEqual({});
  });

  it('refuses a long decimal in each field as it refuses a short one', () => {
    const problems = (number: string) => {
      const fields = ['name', 'source', 'target', 'agent', 'seed', 'tables', 'unlisted_columns', 'dry_run'];
      return [
        problemsOf(`{${fields.map((field) => `"${field}":${number}`).join()}}`, CreateSyncJobDto),
        problemsOf(
          `{"tables":[${number},{"name":${number},"columns":${number},"subset":${number}}]}`,
          CreateSyncJobDto,
        ),
        problemsOf(number, CreateSyncJobDto),
      ];
    };
    const long = JSON.stringify(problems(LONG_DECIMAL));
    expect(JSON.parse(long.replaceAll(LONG_DECIMAL, '1.5'))).toEqual(problems('1.5'));
  });

  it('reports all problems, also numbers that would be rounded in other fields', () => {
    expect(problemsOf('{"seed":1.5,"other":[1e1001]}', Seeded)).toEqual({
      seed: `${RANGE} the number 1.5`,
      'other[0]': expect.stringContaining('rounded') as string,
    });
  });

  it('lists at most 1000 problems', () => {
    const numbers = Array<string>(1500).fill('1e1001').join();
    expect(Object.keys(problemsOf(`{"other":[${numbers}]}`, Seeded))).toHaveLength(1000);
  });
});
