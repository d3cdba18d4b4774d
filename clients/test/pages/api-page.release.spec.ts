import './api-page.spec.js';
