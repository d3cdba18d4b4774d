const WITH_SLASH = /^(\/v1\/(?:models|generators)\/[^/?#]+)\/([^/?#]+)(?=$|[?#])/;

/**
 * Ids of models and generators hold a slash, and a segment of a path does not: `/v1/models/en_US/first_names` is served as
 * `/v1/models/en_US%2Ffirst_names`, which is one route and one operation. Other paths stay as they are; what is
 * encoded twice, or is no id, is found nowhere.
 */
export function modelPath(url: string): string {
  return url.replace(WITH_SLASH, '$1%2F$2');
}
