import type { Role } from '../caller.js';
import { accessDecorator } from './access.js';

/** The route asks for a bearer token whose role is this one or a higher one. */
export const RequiresRole = (role: Role): MethodDecorator => accessDecorator({ kind: 'role', role });
