import { declaredTests, hasTest, SUITE } from './find-tests.js';
import { isTestedHere, type Requirement } from './requirement.js';
import { REQUIREMENTS } from './requirements.js';

/** What is wrong between the requirements and the tests; empty when each has the other. */
export function conformanceFaults(
  root: string,
  requirements: ReadonlyMap<string, Requirement> = REQUIREMENTS,
): string[] {
  const tests = declaredTests(root);
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const { id, file } of tests) {
    const requirement = requirements.get(id);
    if (requirement === undefined) faults.push(`${file}: there is no requirement ${id}`);
    else if (!isTestedHere(requirement))
      faults.push(`${file}: requirement ${id} has a test, and says that it has none here`);
    if (seen.has(id)) faults.push(`${file}: requirement ${id} has two tests`);
    seen.add(id);
  }
  for (const [id, requirement] of requirements) {
    if (isTestedHere(requirement)) {
      if (!seen.has(id)) faults.push(`requirement ${id} has no test in ${SUITE}`);
    } else if ('test' in requirement && !hasTest(root, requirement.file, requirement.test)) {
      faults.push(`requirement ${id}: there is no test "${requirement.test}" in ${requirement.file}`);
    }
  }
  return faults;
}
