import { ValidateIf } from 'class-validator';

/** The field may be left out. Unlike class-validator's `@IsOptional`, null is a value like any other. */
export const Optional = (): PropertyDecorator => ValidateIf((_, value: unknown) => value !== undefined);
