/** Remembers every route, to tell "no such path" from "not with this method". */
export class RouteTable {
  private readonly routes: { readonly methods: readonly string[]; readonly pattern: RegExp }[] = [];

  /** @param url a route as Fastify writes it: `/v1/sync/jobs/:id`, `/ops/*` */
  add(methods: readonly string[], url: string): void {
    this.routes.push({ methods, pattern: compile(url) });
  }

  /** @returns the methods a path takes, sorted; empty when there is no such path */
  methodsOf(path: string): string[] {
    const found = this.routes.filter((route) => route.pattern.test(path)).flatMap((route) => route.methods);
    return [...new Set(found)].sort();
  }
}

function compile(url: string): RegExp {
  const segments = url.split('/').map((segment) => {
    if (segment.startsWith(':')) return '[^/]+';
    if (segment === '*') return '.*';
    return segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${segments.join('/')}$`);
}
