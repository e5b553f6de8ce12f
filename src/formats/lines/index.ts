export { parseHead } from './parse-head.ts';
export { type JsonObject, readObject } from './read-object.ts';
export { hashBytes } from './scanner/hash-bytes.ts';
export { Scanner } from './scanner/scanner.ts';
export { compareShape, mapOf, objectOnly, oneOf, type Shape, shape } from './shape.ts';
export { LineSplitter, type OnLine, type Position } from './split-lines.ts';
export { listOf, numberOf, objectOf, textOf } from './values.ts';
export { wellFormed } from './well-formed.ts';
export { isWordless } from './wordless.ts';
