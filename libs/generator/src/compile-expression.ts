import { compileExpression, compileTemplate, type Names } from '@understudy/expression';
import { expressionNode, type ExpressionNode } from './bound-expression.js';
import type { CompileContext } from './compile-context.js';

/** An expression; one written in braces is taken as the same. */
export function compileEither(
  source: string,
  path: string,
  names: Names,
  context: CompileContext,
): ExpressionNode | undefined {
  return context.attempt(path, () => {
    if (source.trimStart().startsWith('{{')) {
      const template = compileTemplate(source.trim(), names);
      return expressionNode(template, template.evaluate, names, path);
    }
    const expression = compileExpression(source, names);
    return expressionNode(expression, expression.evaluate, names, path);
  });
}
