export { readLabelledColumns } from './detection/labelled-columns.js';
