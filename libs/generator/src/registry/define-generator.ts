import { deriveKey, type Key } from '@understudy/random';
import type { Environment } from '../compile/environment.js';
import { GenerationError, ParameterFault, type Problem } from '../definition/errors.js';
import { identityOf, type JsonObject } from '../definition/json-value.js';
import { bindDraw, drawNode, type AnyDraw, type Node } from '../values/node.js';
import type { Cell } from '../values/row.js';
import { bindArguments, compileArguments, toObject, type Arguments } from './arguments.js';
import type { GeneratorSite, GeneratorType } from './generator-type.js';
import { Parameters } from './parameters.js';

export interface GeneratorDefinition extends Omit<GeneratorType, 'compile' | 'version'> {
  /** Default: `0.1.0`. */
  readonly version?: string;
  /**
   * Checks the conditions that the manifest cannot express, builds tables, and returns a draw. Called once if
   * the params are constant. Otherwise called whenever a row produces a set of param values that is not
   * cached.
   * @throws ParameterFault (`throw parameters.fault(key, reason)`)
   */
  readonly build: (parameters: Parameters, constraints: Parameters, environment: Environment) => AnyDraw;
  /** Returns faults of constant params that `build` accepts. A new definition is refused for them. */
  readonly mistakes?: (parameters: Parameters, nowMs: number) => readonly Problem[];
  /** Returns warnings about constant params that `build` accepts. */
  readonly warnings?: (parameters: Parameters, nowMs: number) => readonly Problem[];
}

const CACHED_PARAMETER_SETS = 256;

/**
 * Defines a generator that refers to other generators only through templates in its params and constraints.
 */
export function defineGenerator(definition: GeneratorDefinition): GeneratorType {
  const { version = '0.1.0' } = definition;
  return { ...definition, version, compile: (site) => compileSite(definition, site) };
}

type Build = (params: JsonObject, constraints: JsonObject) => AnyDraw;

function compileSite(definition: GeneratorDefinition, site: GeneratorSite): Node | undefined {
  const { params: manifest, constraints: constraintsManifest = {} } = definition;
  const { paths, names, context } = site;
  const params = compileArguments(site.params, manifest, paths.params, names, context);
  const constraints = compileArguments(
    site.constraints,
    constraintsManifest,
    paths.constraints,
    names,
    context,
  );
  if (params === undefined || constraints === undefined) return undefined;
  const build: Build = (given, limits) =>
    definition.build(
      new Parameters(given, manifest, paths.params),
      new Parameters(limits, constraintsManifest, paths.constraints),
      context.environment,
    );
  if (params.constant !== undefined && constraints.constant !== undefined) {
    const given = params.constant;
    const limits = constraints.constant;
    const draw = context.attempt(paths.definition, () => build(given, limits));
    if (draw === undefined) return undefined;
    const { mistakes, warnings } = definition;
    const checked = new Parameters(given, manifest, paths.params);
    const { nowMs } = context.environment;
    for (const mistake of mistakes?.(checked, nowMs) ?? []) context.reportMistakes(mistake.path, [mistake]);
    for (const { path, message } of warnings?.(checked, nowMs) ?? []) context.warn(path, message);
    return drawNode(draw);
  }
  return resolvedNode(params, constraints, build);
}

/**
 * Returns a node that builds a draw for each set of param values that the rows produce. Converts a
 * ParameterFault of `build` into a GenerationError.
 */
function resolvedNode(params: Arguments, constraints: Arguments, build: Build): Node {
  return {
    reads: new Set([...params.reads, ...constraints.reads]),
    bind(key) {
      const cells = [
        ...bindArguments(params, deriveKey(key, 'params')),
        ...bindArguments(constraints, deriveKey(key, 'constraints')),
      ];
      const split = params.members.length;
      const changing = [...params.members, ...constraints.members].flatMap(({ template }, i) =>
        template.constant === undefined ? [i] : [],
      );
      const built = new Map<unknown, Cell>();
      return (row) => {
        const values = cells.map((cell) => cell(row));
        const identity = identityOf(changing.map((i) => values[i]));
        let cell = built.get(identity);
        if (cell === undefined) {
          const given = params.members.map(({ name }, i) => [name, values[i]] as const);
          const limits = constraints.members.map(({ name }, i) => [name, values[split + i]] as const);
          cell = buildCell(() => build(toObject(given), toObject(limits)), key);
          if (built.size >= CACHED_PARAMETER_SETS) built.clear();
          built.set(identity, cell);
        }
        return cell(row);
      };
    },
  };
}

function buildCell(build: () => AnyDraw, key: Key): Cell {
  try {
    return bindDraw(build(), key);
  } catch (error) {
    if (error instanceof ParameterFault) {
      const code = error.overLimit ? 'limit_exceeded' : 'generation_failed';
      throw new GenerationError(error.path, error.reason, code);
    }
    throw error;
  }
}
