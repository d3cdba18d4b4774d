import './evaluation-path.spec.js';
