/** Mock endpoints. Rows are immutable, so that compiled definitions can be cached. */
export const MOCK_ENDPOINTS = `
CREATE TABLE mock_endpoints (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  method text NOT NULL,
  path text NOT NULL,
  shape text NOT NULL, -- the path without the names of its parameters
  auth text NOT NULL,
  schema_json text NOT NULL, -- text: the order of keys is part of what the user wrote
  response_json text NOT NULL,
  models_json text NOT NULL,
  compositions_json text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT mock_endpoints_id_form CHECK (id ~ '^ep_[0-9A-HJKMNP-TV-Z]{26}$'),
  CONSTRAINT mock_endpoints_method_known CHECK (method IN ('GET', 'POST', 'PUT', 'PATCH', 'DELETE')),
  CONSTRAINT mock_endpoints_auth_known CHECK (auth IN ('none', 'token')),
  CONSTRAINT mock_endpoints_path_absolute CHECK (path LIKE '/%'),
  CONSTRAINT mock_endpoints_shape_unique UNIQUE (organization_id, method, shape)
);
CREATE INDEX mock_endpoints_newest_first ON mock_endpoints (organization_id, created_at DESC, id DESC);

CREATE TABLE mock_endpoint_models (
  endpoint_id text NOT NULL REFERENCES mock_endpoints (id) ON DELETE CASCADE,
  model_id text NOT NULL,
  PRIMARY KEY (endpoint_id, model_id),
  -- No cascade: a custom model cannot be deleted while an endpoint generates from it.
  CONSTRAINT mock_endpoint_models_kept FOREIGN KEY (model_id) REFERENCES custom_models (id)
);
CREATE INDEX mock_endpoint_models_of_model ON mock_endpoint_models (model_id);

CREATE TABLE mock_endpoint_requests (
  endpoint_id text NOT NULL REFERENCES mock_endpoints (id) ON DELETE CASCADE,
  day date NOT NULL, -- in UTC
  requests bigint NOT NULL,
  PRIMARY KEY (endpoint_id, day),
  CONSTRAINT mock_endpoint_requests_safe CHECK (requests BETWEEN 0 AND 9007199254740991)
);
CREATE INDEX mock_endpoint_requests_of_day ON mock_endpoint_requests (day);
`;
