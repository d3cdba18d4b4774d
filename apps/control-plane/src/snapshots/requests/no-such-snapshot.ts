import { ApiError } from '../../http/errors/api-error.js';

export function noSuchSnapshot(): ApiError {
  return new ApiError('not_found', 'There is no such snapshot.');
}
