import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { operationsMarkdown } from './operations-markdown.js';
import { OPERATIONS } from './operations.js';

describe('docs/operations.md', () => {
  it('is what the table of operations generates; "npm run generate" writes it anew', () => {
    const committed = readFileSync(join(import.meta.dirname, '../../../../../docs/operations.md'), 'utf8');
    expect(committed).toBe(operationsMarkdown(OPERATIONS));
  });
});
