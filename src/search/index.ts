export { accepts, acceptsPath, pieceOfPath, valueTest } from './accept.ts';
export { asTyped } from './as-typed.ts';
export { type Check, checkOf, decided } from './check-hits.ts';
export { type FacetHit, facetsOf, HitCollector, newest, newestFirst, type RawHit } from './collect-hits.ts';
export { FILTERS, readFilter } from './filters.ts';
export type { Span } from './find-leaf.ts';
export { CJK, fold } from './fold.ts';
export { hasWords, termsOf } from './leaf-terms.ts';
export { type Matcher, matcherOf, type Wanted } from './matcher.ts';
export { parseQuery } from './parse-query.ts';
export { compilePattern, type Pattern } from './pattern.ts';
export { printQuery } from './print-query.ts';
export { bothOf, type Clause, type Filter, type Leaf } from './query.ts';
export { QueryError } from './query-error.ts';
export {
  COUNTED,
  FACETED,
  type Facet,
  type Facets,
  type Found,
  type Hit,
  RANKED,
  type Search,
  type SearchRequest,
  type SearchRun,
} from './search.ts';
export { NO_ATTRIBUTES, type Searched } from './searched.ts';
export { type SnippetPart, snippetOf, WIDTH } from './snippet.ts';
export { attributeValue } from './volume/attribute.ts';
export { allBits, type Bits, clearBit } from './volume/bits.ts';
export { divideVolumes, type Portion } from './volume/divide-volumes.ts';
export type { NumberedVolume } from './volume/match-volume.ts';
export { TextMeasure } from './volume/measure-text.ts';
export { mergeVolumes } from './volume/merge-volumes.ts';
export { type Plan, planOf } from './volume/plan.ts';
export {
  byTime,
  type FoundHit,
  type FoundHits,
  joinParts,
  type RankedHit,
  rankHits,
  TYPES,
} from './volume/rank-hits.ts';
export { documentsOf } from './volume/read-documents.ts';
export { type FoundPart, searchVolumes } from './volume/search-volumes.ts';
export { BEHIND, pieceBytes, pieceEnd, putPiece, putText, TextBytes, textIn } from './volume/text-bytes.ts';
export type { Volume } from './volume/volume.ts';
export { type Document, type Span as TermSpan, VolumeBuilder } from './volume/volume-builder.ts';
export { plainTitled, withoutTitle, withTitle } from './with-title.ts';
export { wordsIn } from './words.ts';
