import { deriveKey } from '@understudy/random';
import { BUDGETS } from '../definition/budgets.js';
import { CompileContext } from '../compile/compile-context.js';
import { nodeCompiler } from '../compile/compile-node.js';
import type { CompileOptions, Generators, GeneratorSite, GeneratorType } from './generator-type.js';
import { CORE_REGISTRY } from '../types/core-registry.js';
import { DefinitionError, GenerationError, ParameterFault, type Problem } from '../definition/errors.js';
import {
  joinPath,
  describe,
  isDeeperThan,
  isObject,
  own,
  type JsonObject,
} from '../definition/json-value.js';
import type { CompileNode, Node } from '../values/node.js';
import { compileComposition } from '../types/composition/composition.js';
import { bindArguments, compileArguments, type Arguments } from './arguments.js';
import {
  checkNames,
  checkValue,
  readManifest,
  type ParamDeclaration,
  type ParamsManifest,
} from './params-manifest.js';
import { isGeneratorName } from './registry.js';

const FORMS: readonly string[] = ['body', 'variants', 'output'];
const RESERVED = '@svc/';

const COMPOSITION: ParamsManifest = {
  name: { type: 'string', required: true },
  version: { type: 'string', default: '0.1.0' },
  description: { type: 'string', default: '' },
  params: { type: 'object' },
  let: { type: 'object' },
  body: { type: 'string' },
  variants: { type: 'array' },
  output: { type: 'any' },
};

/**
 * Compiles a generator that is written as data: `{ name, version?, description?, params?, let?, body |
 * variants | output }`. The composition can refer only to its params and its `let` steps. The function
 * checks all names, generators and models, and that there are no cycles. The composition may use the
 * generators of `options.registry`, so compositions can be nested but cannot contain themselves.
 * @throws DefinitionError with every problem found
 */
export function defineComposition(composition: unknown, options: CompileOptions): GeneratorType {
  const compileNode = nodeCompiler(options.registry ?? CORE_REGISTRY);
  const context = new CompileContext(options, 'rows');
  if (!isObject(composition)) throw notAComposition(composition);
  if (isDeeperThan(composition, BUDGETS.jsonDepth)) {
    const message = `JSON may be nested at most ${BUDGETS.jsonDepth} levels deep`;
    throw new DefinitionError([{ path: '', message }], 'limit_exceeded');
  }
  const header = context.attempt('', () => readHeader(composition));
  const params = own(composition, 'params');
  if (isObject(params) && Object.keys(params).length > BUDGETS.compositionParams) {
    context.failLimit('params', `a composition may have at most ${BUDGETS.compositionParams} params`);
    context.finish();
  }
  const manifest = context.attempt('params', () => readManifest(params, 'params'));
  if (manifest !== undefined) refuseHidden(manifest, own(composition, 'let'), context);
  if (manifest !== undefined) compileInner(composition, manifest, context, compileNode);
  context.finish();
  if (header === undefined || manifest === undefined) throw new Error('no problem was filed');
  return typeOf(composition, header, manifest, compileNode);
}

/**
 * Returns a generator type for a stored composition that `defineComposition` checked earlier. Each use
 * compiles the composition again, and looks up the names that it refers to. If a name no longer exists, the
 * use reports a problem. If stored compositions contain each other, compilation stops at the nesting limit.
 * @throws DefinitionError if the composition's name, version or params are invalid
 */
export function storedComposition(composition: unknown, generators: Generators): GeneratorType {
  if (!isObject(composition)) throw notAComposition(composition);
  try {
    const header = readHeader(composition);
    const manifest = readManifest(own(composition, 'params'), 'params');
    return typeOf(composition, header, manifest, nodeCompiler(generators));
  } catch (error) {
    if (!(error instanceof ParameterFault)) throw error;
    throw new DefinitionError([{ path: error.path, message: error.reason }]);
  }
}

type Header = Pick<GeneratorType, 'name' | 'version' | 'description'>;

function typeOf(
  composition: JsonObject,
  header: Header,
  manifest: ParamsManifest,
  compileNode: CompileNode,
): GeneratorType {
  return {
    ...header,
    params: manifest,
    output: Object.hasOwn(composition, 'output') ? 'any' : 'string',
    examples: [],
    compile: (site) => compileSite(header.name, composition, manifest, compileNode, site),
  };
}

function notAComposition(value: unknown): DefinitionError {
  return new DefinitionError([
    { path: '', message: `a composition must be an object, got ${describe(value)}` },
  ]);
}

function readHeader(composition: JsonObject): Header {
  checkNames(composition, COMPOSITION, '');
  for (const [key, declaration] of Object.entries(COMPOSITION))
    checkValue(own(composition, key), declaration, key);
  const name = String(own(composition, 'name'));
  if (!isGeneratorName(name)) {
    throw new ParameterFault('name', 'must have the form @<namespace>/<package>:<name>, in lower case');
  }
  if (name.startsWith(RESERVED)) throw new ParameterFault('name', `the namespace ${RESERVED} is reserved`);
  const version = String(own(composition, 'version') ?? DEFAULT_VERSION);
  if (version.length > LONGEST_VERSION || !SEMANTIC_VERSION.test(version)) {
    throw new ParameterFault('version', 'must be a semantic version like 1.2.0');
  }
  return { name, version, description: String(own(composition, 'description') ?? '') };
}

/** Refuses a step with the name of a param, because nothing in the composition could then read the param. */
function refuseHidden(manifest: ParamsManifest, steps: unknown, context: CompileContext): void {
  if (!isObject(steps)) return;
  for (const name of Object.keys(steps)) {
    if (Object.hasOwn(manifest, name)) {
      context.fail(
        joinPath('let', name),
        'has the name of a param, which it would hide; give it another name',
      );
    }
  }
}

interface Inner {
  readonly node: Node;
  readonly slots: ReadonlyMap<string, number>;
}

/**
 * Compiles `let` and one of `body`, `variants` and `output`. Only the params are in scope.
 * @param args the arguments of a use; absent if the composition is only checked
 */
function compileInner(
  composition: JsonObject,
  manifest: ParamsManifest,
  context: CompileContext,
  compileNode: CompileNode,
  args?: Arguments,
): Inner | undefined {
  const slots = new Map(Object.keys(manifest).map((name) => [name, context.newSlot()]));
  if (args !== undefined) declareConstants(slots, manifest, args, context);
  const inner = Object.fromEntries(
    ['let', ...FORMS].filter((key) => Object.hasOwn(composition, key)).map((key) => [key, composition[key]]),
  );
  const node = compileComposition(inner, '', slots, context, compileNode, FORMS);
  return node && { node, slots };
}

/**
 * Declares the values of params that are the same in every row. Compilation then finds the errors that these
 * values cause. The caller has checked the arguments.
 */
function declareConstants(
  slots: ReadonlyMap<string, number>,
  manifest: ParamsManifest,
  { members }: Arguments,
  context: CompileContext,
): void {
  for (const [name, slot] of slots) {
    const template = members.find((member) => member.name === name)?.template;
    if (template !== undefined && template.constant === undefined) continue;
    const declaration = own(manifest, name) as ParamDeclaration;
    context.constants[slot] = checkValue(template?.constant?.value, declaration, name);
  }
}

function compileSite(
  name: string,
  composition: JsonObject,
  manifest: ParamsManifest,
  compileNode: CompileNode,
  site: GeneratorSite,
): Node | undefined {
  const { paths, names, context } = site;
  context.attempt(paths.constraints, () => checkNames(site.constraints, {}, paths.constraints));
  const args = compileArguments(site.params, manifest, paths.params, names, context);
  const before = context.problems.length;
  const warned = context.warnings.length;
  const inner = context.stored(() => compileInner(composition, manifest, context, compileNode, args));
  const problems = context.problems.splice(before);
  context.problems.push(...problems.map((problem) => asSeenOutside(problem, name, paths.definition)));
  const warnings = context.warnings.splice(warned);
  context.warnings.push(...warnings.map((warning) => asSeenOutside(warning, name, paths.definition)));
  if (args === undefined || inner === undefined) return undefined;

  const params = Object.entries(manifest).map(([param, declaration]) => ({
    slot: inner.slots.get(param) ?? -1,
    argument: args.members.findIndex((member) => member.name === param),
    declaration,
    path: joinPath(paths.params, param),
  }));
  return {
    reads: args.reads,
    bind(key) {
      const cells = bindArguments(args, deriveKey(key, 'params'));
      const cell = inner.node.bind(deriveKey(key, 'composition'));
      return (row) => {
        const values = cells.map((argument) => argument(row));
        try {
          for (const { slot, argument, declaration, path } of params) {
            row.slots[slot] = checkValue(argument < 0 ? undefined : values[argument], declaration, path);
          }
        } catch (error) {
          if (error instanceof ParameterFault) throw new GenerationError(error.path, error.reason);
          throw error;
        }
        try {
          return cell(row);
        } catch (error) {
          if (!(error instanceof GenerationError)) throw error;
          const { path, message } = asSeenOutside(
            { path: error.path, message: error.reason },
            name,
            paths.definition,
          );
          throw new GenerationError(path, message, error.code);
        }
      };
    },
  };
}

/**
 * Replaces the path of a problem by `site`, the path at which the composition is used. Adds the original
 * path, which lies within the composition, to the message.
 */
function asSeenOutside({ path, message }: Problem, name: string, site: string): Problem {
  return { path: site, message: `in ${name}${path === '' ? '' : `, ${path}`}: ${message}` };
}

/** The version of a composition that states none. */
export const DEFAULT_VERSION = '0.1.0';
const LONGEST_VERSION = 100;
const IDENTIFIER = String.raw`(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*)`;
const NUMBER = String.raw`(?:0|[1-9]\d{0,8})`;
// The grammar of semver.org, 2.0.0, with numbers of at most nine digits.
const SEMANTIC_VERSION = new RegExp(
  String.raw`^${NUMBER}\.${NUMBER}\.${NUMBER}(?:-${IDENTIFIER}(?:\.${IDENTIFIER})*)?(?:\+[\da-zA-Z-]+(?:\.[\da-zA-Z-]+)*)?$`,
);
