import { PREFIX, type Operation } from './operation.js';

/**
 * Checks while the application starts that every declared operation has a route, and that every route of `/v1` has a
 * declared operation.
 */
export class OperationRoutes {
  private readonly missing: Set<Operation>;

  constructor(private readonly operations: readonly Operation[]) {
    this.missing = new Set(operations);
  }

  /**
   * Returns the operation of a route, or undefined for a route outside `/v1`.
   * @param operation the operation that `Handles` gave to the route
   * @throws Error for a route of `/v1` without a declared operation
   */
  check(path: string, operation: Operation | undefined): Operation | undefined {
    if (!isApiPath(path)) return undefined;
    if (operation === undefined) throw new Error(`${path} has no operation: add @Handles to its handler`);
    if (!this.operations.includes(operation))
      throw new Error(`${operation.id} is not in OPERATIONS: add the operations of its feature`);
    this.missing.delete(operation);
    return operation;
  }

  /** @throws Error if declared operations have no route */
  assertComplete(): void {
    const ids = [...this.missing].map(({ id }) => id);
    if (ids.length > 0) throw new Error(`operations without a route: ${ids.join(', ')}`);
  }
}

/** Returns whether a path belongs to the API. Probes, metrics and the ops page are outside `/v1`. */
export function isApiPath(path: string): boolean {
  return path === PREFIX || path.startsWith(`${PREFIX}/`);
}
