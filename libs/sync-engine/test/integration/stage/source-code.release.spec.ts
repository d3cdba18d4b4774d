import './source-code.spec.js';
