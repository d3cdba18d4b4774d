import { accessDecorator, PUBLIC_ACCESS } from './access.js';

/** The route asks for no bearer token. */
export const Public = (): MethodDecorator => accessDecorator(PUBLIC_ACCESS);
