import './pooler.spec.js';
