import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';

import { ApiError, notFound } from '../errors/api-error.js';
import { checkedDto } from '../dto/checked-dto.js';
import { type DtoClass, isRecord } from '../dto/read-dto.js';
import { isOptionalBody } from '../dto/no-fields.dto.js';
import { unstorableText } from '../dto/storable-text.js';
import { UnreadBody } from '../uploads/uploaded-file.js';

/** Converts bodies and query strings to checked DTOs, or throws one `validation_error` with all problems. */
@Injectable()
export class RequestPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    // PostgreSQL cannot store such a text, so no resource has it as its id.
    if (type === 'param' && unstorableText(value).length > 0) throw notFound();
    if ((type !== 'body' && type !== 'query') || !metatype || UNTYPED.has(metatype)) return value;
    const dto = metatype as DtoClass;
    if (type === 'body' && value === undefined && !isOptionalBody(dto)) {
      throw new ApiError('bad_request', 'This request needs a JSON body.');
    }
    if (value instanceof UnreadBody) return value;
    const input: unknown = type === 'query' && isRecord(value) ? { ...value } : value;
    return checkedDto(dto, input === undefined ? {} : input, type);
  }
}

const UNTYPED = new Set<unknown>([String, Boolean, Number, Array, Object]);
