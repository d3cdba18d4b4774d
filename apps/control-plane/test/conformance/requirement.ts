import { isDeviation, REQUIREMENTS, says } from '@understudy/repository/conformance';

/**
 * Declares the one test of a requirement; its title is the requirement's id and words. A deviation is expected to fail, so
 * that its entry is taken back when it is mended.
 */
export function requirement(id: string, test: () => Promise<unknown>): void {
  const found = REQUIREMENTS.get(id);
  if (found === undefined) throw new Error(`There is no requirement ${id}.`);
  (isDeviation(found) ? it.failing : it)(`${id} ${says(found)}`, async () => {
    await test();
  });
}
