/** Is it a model that an agent trained on its customer's values? */
export function isPrivateModel(id: unknown): boolean {
  return typeof id === 'string' && id.startsWith('private/');
}
