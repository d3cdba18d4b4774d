import { Allow } from 'class-validator';

/** A field that may hold whatever JSON holds, or be left out: somebody else reads it. */
export const Anything = (): PropertyDecorator => Allow();
