import ts from 'typescript';

const parsed = new Map<string, ts.SourceFile>();

/**
 * Parses a TypeScript or JavaScript file, with the parents of nodes and without doc comments. Keeps the tree, because
 * several steps of `npm run check` read the same files, and parsing takes most of their time.
 * @param file the path of the file, from which the parser takes the language
 */
export function parsedSource(file: string, source: string): ts.SourceFile {
  const known = parsed.get(file);
  if (known?.text === source) return known;
  const options = {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  };
  const tree = ts.createSourceFile(file, source, options, true);
  parsed.set(file, tree);
  return tree;
}

/** Returns each text that a file imports, also types, and by `import(…)`, `require(…)` and re-exports. */
export function importedTexts(tree: ts.SourceFile): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (node: ts.Node | undefined): void => {
    if (node && ts.isStringLiteralLike(node)) found.add(node.text);
  };
  // Most files import only by statements, which are not nested.
  const isNested = /\b(import|require)\s*\(/.test(tree.text);
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier);
    else if (ts.isExternalModuleReference(node)) add(node.expression);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal);
    else if (ts.isCallExpression(node) && isImportCall(node.expression)) add(node.arguments[0]);
    if (isNested) ts.forEachChild(node, visit);
  };
  tree.statements.forEach(visit);
  return found;
}

function isImportCall(called: ts.Expression): boolean {
  return (
    called.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(called) && called.text === 'require')
  );
}
