import { modelPath } from './fastify.js';

describe('modelPath', () => {
  it.each([
    ['/v1/models/en_US/first_names', '/v1/models/en_US%2Ffirst_names'],
    ['/v1/models/en_US/first_names?x=/y/z', '/v1/models/en_US%2Ffirst_names?x=/y/z'],
    ['/v1/models/en_US%2Ffirst_names', '/v1/models/en_US%2Ffirst_names'],
    ['/v1/models/custom/streets/content', '/v1/models/custom%2Fstreets/content'],
    ['/v1/models/custom%2fstreets/content?x=1', '/v1/models/custom%2fstreets/content?x=1'],
    ['/v1/models/custom/content', '/v1/models/custom%2Fcontent'],
    ['/v1/models/custom/content/content', '/v1/models/custom%2Fcontent/content'],
    ['/dashboard/v1/models/custom/streets/content', '/dashboard/v1/models/custom%2Fstreets/content'],
    ['/v1/models/en_US/../x', '/v1/models/en_US/../x'],
    ['/v1/models/a/b/c', '/v1/models/a/b/c'],
    ['/v1/models/a/', '/v1/models/a/'],
    ['/v1/models//a', '/v1/models//a'],
    ['/v1/models', '/v1/models'],
    ['/v1/models?type=all', '/v1/models?type=all'],
    ['/v1/generators/@acme/people:card@1.0.0', '/v1/generators/@acme%2Fpeople:card@1.0.0'],
    ['/dashboard/v1/models/en_US/first_names', '/dashboard/v1/models/en_US%2Ffirst_names'],
    ['/v1/sync/jobs/x', '/v1/sync/jobs/x'],
  ])('rewrites the URL %s to %s', (url, served) => {
    expect(modelPath(url)).toBe(served);
  });
});
