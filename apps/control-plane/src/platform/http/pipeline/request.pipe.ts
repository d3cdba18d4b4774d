import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';

import { ApiError, notFound, validationError } from '../errors/api-error.js';
import { type DtoClass, isRecord, readDto } from '../dto/read-dto.js';
import { isOptionalBody } from '../dto/no-fields.dto.js';
import { roundedNumberProblems } from './json-body.js';
import { unstorableText } from '../dto/storable-text.js';

/** Converts bodies and query strings to checked DTOs, or throws one `validation_error` with all problems. */
@Injectable()
export class RequestPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    // PostgreSQL cannot store such a text, so no resource has it as its id.
    if (type === 'param' && unstorableText(value).length > 0) throw notFound();
    if ((type !== 'body' && type !== 'query') || !metatype || UNTYPED.has(metatype)) return value;
    const dto = metatype as DtoClass & { hints?: ReadonlyMap<string, string> };
    if (type === 'body' && value === undefined && !isOptionalBody(dto)) {
      throw new ApiError('bad_request', 'This request needs a JSON body.');
    }
    const unstorable = unstorableText(value);
    if (unstorable.length > 0) throw validationError(unstorable);
    const input: unknown = type === 'query' && isRecord(value) ? { ...value } : value;
    const read = readDto(dto, input === undefined ? {} : input, {
      root: type,
      ...(dto.hints ? { hints: dto.hints } : {}),
    });
    const rounded = roundedNumberProblems(value);
    if (!('problems' in read) && rounded.length === 0) return read.dto;
    const problems = 'problems' in read ? read.problems : [];
    // A field of the DTO knows which numbers it expects.
    const others = rounded.filter(({ field }) => !problems.some((problem) => problem.field === field));
    throw validationError([...problems, ...others]);
  }
}

const UNTYPED = new Set<unknown>([String, Boolean, Number, Array, Object]);
