import type { DescEnum } from '@bufbuild/protobuf';

import { enumName, enumValue, FailureCode } from './index.js';
import * as contract from './index.js';

const { file_understudy_v1_acknowledgement, file_understudy_v1_command, file_understudy_v1_event } = contract;
const files = [file_understudy_v1_acknowledgement, file_understudy_v1_command, file_understudy_v1_event];
const enums = files.flatMap((file) =>
  file.enums.concat(file.messages.flatMap(({ nestedEnums }) => nestedEnums)),
);

/** Returns the TypeScript enum that was generated for a descriptor. */
function generatedEnum({ name }: DescEnum) {
  return contract[name as 'FailureCode'];
}

describe.each(enums.map((descriptor) => [descriptor.name, descriptor] as const))('%s', (_, descriptor) => {
  const generated = generatedEnum(descriptor);

  it('turns every value into its lower-case name without prefix, and back', () => {
    for (const { name, number } of descriptor.values) {
      const expected = name.toLowerCase().slice(descriptor.sharedPrefix?.length ?? Number.NaN);
      expect(enumName(generated, number)).toBe(number === 0 ? undefined : expected);
      expect(enumValue(generated, enumName(generated, number))).toBe(number);
    }
  });

  it('treats the value 0 as unspecified and names all others', () => {
    expect(generated.UNSPECIFIED).toBe(0);
    const named = descriptor.values.filter(({ number }) => enumName(generated, number) !== undefined);
    expect(named).toHaveLength(descriptor.values.length - 1);
  });
});

it('covers the enums of every file of the contract', () => {
  expect(enums.length).toBeGreaterThanOrEqual(13);
});

it('returns no name for a value of a newer schema', () => {
  expect(enumName(FailureCode, 9_999)).toBeUndefined();
});

it('rejects at compile time a name that the enum does not have', () => {
  // @ts-expect-error connection_flies is not a failure code
  expect(enumValue(FailureCode, 'connection_flies')).toBeUndefined();
});
